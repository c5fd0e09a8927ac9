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
      # distance_us:: Float: the median time between two checks of one path, in µs
      # message:: String
      # examples:: Array<String>: up to three paths
      Freshness = Struct.new(:file, :line, :count, :distance_us, :message, :examples, keyword_init: true)

      class Freshness
        # Collects the checks of one place.
        Checks = Struct.new(:place, :calls, :distances) do
          # @return [Freshness]
          def summary
            distance = Prose.median(distances)
            Freshness.new(file: place.file, line: place.line, count: calls.size, distance_us: distance / 1000.0,
                          message: message(distance), examples: calls.lazy.map(&:path).uniq.first(3))
          end

          private

          def message(distance)
            "#{Prose.some(calls.size, "check")} (#{Prose.names(calls.map(&:name))}) found nothing changed, " \
              "mostly #{Prose.time(distance)} apart"
          end
        end
      end
    end
  end
end
