# frozen_string_literal: true

require_relative "finder"
require_relative "questions"

module Frugal
  module Profile
    module Findings
      # Checks at one line whether something has changed since the thread waited, although nothing had. They are not
      # waste, but there may be many: a round is what a thread does between two waits, such as a request of a server.
      class FreshnessCheck < Finder
        FIX = "This is not waste. To save it, ask each question once a round, or once for all that it covers."
        private_constant :FIX

        # @param claims [Claims] of the waste
        # @return [Array<Finding>]
        def findings(claims)
          @context.questions.freshness.filter_map { |place, rounds| checks(place, rounds, claims) }
        end

        private

        def checks(place, rounds, claims)
          calls = claims.free(rounds.keys)
          return if calls.empty?

          finding(:freshness_check, place, calls, claims,
                  fix: FIX, fail_rate: nil, saved: Amount.of(0.0),
                  message: message(calls, calls.map { |call| rounds[call] }.uniq))
        end

        def message(calls, rounds)
          each = Prose.some(calls.size.fdiv(rounds.size).round, "check")
          "#{Prose.some(calls.size, "check")} (#{Prose.functions(calls)}) found nothing changed, in " \
            "#{Prose.some(rounds.size, "round")} after a wait: #{each} a round"
        end
      end
    end
  end
end
