# frozen_string_literal: true

module Frugal
  module Profile
    module Findings
      # The calls and exceptions that a finding already counts: none is counted in two findings.
      class Claims
        def initialize
          @events = {}.compare_by_identity
        end

        # @param events [Array<Call, Raise>]
        def take(events)
          events.each { |event| @events[event] = true }
        end

        # @param event [Call, Raise]
        # @return [Boolean]
        def taken?(event) = @events.key?(event)

        # @param calls [Array<Call>]
        # @return [Array<Call>] the calls that no finding counts yet
        def free(calls) = @events.empty? ? calls : calls.reject { |call| @events.key?(call) }
      end
    end
  end
end
