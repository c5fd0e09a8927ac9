# frozen_string_literal: true

module Frugal
  # What belongs to a whole process (a store's lock, a table that is filled once) is the
  # main Ractor's: others may read it at most.
  module MainRactor
    class << self
      # @return [Boolean] whether this is it; always, where Ruby has no Ractors
      def here? = RUBY_ENGINE != "ruby" || ::Ractor.current.equal?(::Ractor.main)
    end
  end
end
