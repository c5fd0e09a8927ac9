# frozen_string_literal: true

require_relative "backend"

module Frugal
  module Session
    # Combines the changes of two requests to one session, by its top-level keys. Keys that this request has changed,
    # added or deleted are taken from this request, all others from the stored session. If both requests have changed a
    # key, the increments of a counter are added; for other keys `strict` decides.
    class Merge
      # @param counters [Array<String>] keys whose values are counters
      # @param strict [Boolean] whether to raise if both requests have changed a key that is not a counter
      def initialize(counters: [], strict: false)
        @counters = counters
        @strict = strict
      end

      # @return [Boolean] whether a change that cannot be saved raises
      def strict? = @strict

      # @param base [Hash] the session as this request loaded it
      # @param mine [Hash] as this request leaves it
      # @param theirs [Hash] as it is stored now
      # @return [Hash]
      # @raise [Conflict]
      def call(base, mine, theirs)
        merged = theirs.dup
        (mine.keys | base.keys).each do |key|
          next if base.key?(key) == mine.key?(key) && base[key] == mine[key]

          value = both(key, base, mine, theirs)
          mine.key?(key) ? merged[key] = value : merged.delete(key)
        end
        merged
      end

      private

      def both(key, base, mine, theirs)
        was, value, other = [base, mine, theirs].map { |session| session[key] }
        return value if was == other
        return value + other - was.to_i if @counters.include?(key) && [value, other].all?(Integer)
        return value if !@strict || (value == other && !value.is_a?(Integer)) # both may have counted

        raise Conflict, "two requests of one session changed its key #{key.inspect} at once, as one took longer than " \
                        "lock_wait:, so this one was not saved; next: a greater lock_wait:, or counters: " \
                        "[#{key.inspect}] if it counts something, or on_conflict: :overwrite"
      end
    end
  end
end
