# frozen_string_literal: true

require_relative "prose"

module Frugal
  module Profile
    module Findings
      # Checks at one line whether something has changed, although nothing had: they are not waste, but a report may
      # show them.
      #
      # file, line:: String, Integer
      # count:: Integer
      # rounds:: Integer: after how many waits of the threads they were made, such as the requests of a server
      # message:: String
      # examples:: Array<String>: up to three paths
      Freshness = Struct.new(:file, :line, :count, :rounds, :message, :examples, keyword_init: true)

      class Freshness
        # Collects the checks of one place.
        Checks = Struct.new(:place, :calls, :rounds) do
          # @param call [Call]
          # @param actor [Actor]
          def add(call, actor)
            calls << call
            rounds[[actor, actor.waited_at]] = true
          end

          # @return [Freshness]
          def summary
            Freshness.new(file: place.file, line: place.line, count: calls.size, rounds: rounds.size, message: message,
                          examples: calls.lazy.map(&:path).uniq.first(3))
          end

          private

          def message
            "#{Prose.some(calls.size, "check")} (#{Prose.names(calls.map(&:name))}) found nothing changed, after " \
              "#{Prose.some(rounds.size, "wait")}"
          end
        end
      end
    end
  end
end
