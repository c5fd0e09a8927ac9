# frozen_string_literal: true

module Frugal
  # The main Ractor owns all state of the process (a store's lock, a table that is filled
  # once). Other Ractors may only read it.
  module MainRactor
    class << self
      # @return [Boolean] whether the current Ractor is the main one; true if this Ruby has no Ractors
      def here? = RUBY_ENGINE != "ruby" || ::Ractor.current.equal?(::Ractor.main)
    end
  end
end
