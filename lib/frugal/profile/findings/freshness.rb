# frozen_string_literal: true

require_relative "../finding"
require_relative "prose"

module Frugal
  module Profile
    module Findings
      # Checks at one line whether something has changed since the thread waited, although nothing had. They are not
      # waste, but there may be many: a round is what a thread does between two waits, such as a request of a server.
      Freshness = Struct.new(:place, :checks) do
        # @param call [Call]
        # @param actor [Actor]
        def add(call, actor) = checks << [call, [actor, actor.waited_at]]

        # @param claims [Claims] of the waste
        # @return [Finding, nil]
        def finding(claims)
          calls, rounds = checks.reject { |call, _| claims.taken?(call) }.transpose
          found(calls, rounds.uniq) if calls
        end

        private

        def found(calls, rounds)
          Finding.new(kind: :freshness_check, file: place.file, line: place.line, count: calls.size, saved_us: 0.0,
                      saved_range_us: [0.0, 0.0], message: message(calls, rounds), fix: self.class::FIX,
                      examples: calls.lazy.filter_map(&:path).uniq.first(3))
        end

        def message(calls, rounds)
          each = Prose.some(calls.size.fdiv(rounds.size).round, "check")
          "#{Prose.some(calls.size, "check")} (#{Prose.functions(calls)}) found nothing changed, in " \
            "#{Prose.some(rounds.size, "round")} after a wait: #{each} a round"
        end
      end
      Freshness::FIX = "This is not waste. To save it, ask each question once a round, or once for all that it covers."
    end
  end
end
