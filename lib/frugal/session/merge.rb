# frozen_string_literal: true

module Frugal
  module Session
    # Combines what two requests have done to one session, by its top-level keys: a key that this request has
    # changed, added or deleted is as this request left it; all others are as they are stored now.
    module Merge
      # @param base [Hash] the session as this request loaded it
      # @param mine [Hash] as this request leaves it
      # @param theirs [Hash] as it is stored now
      # @return [Hash]
      def self.call(base, mine, theirs)
        merged = theirs.dup
        mine.each { |key, value| merged[key] = value unless base.key?(key) && base[key] == value }
        base.each_key { |key| merged.delete(key) unless mine.key?(key) }
        merged
      end
    end
  end
end
