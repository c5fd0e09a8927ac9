# frozen_string_literal: true

require_relative "finder"
require_relative "questions"

module Frugal
  module Profile
    module Findings
      # Paths that are resolved repeatedly, as a whole or component by component. What `require` resolves is left out:
      # Ruby resolves the folders above each file that it loads, and no program can change that.
      class RepeatedRealpath < Finder
        FIX = "Resolve the path once and keep the result: below a resolved folder, File.join is enough."
        private_constant :FIX

        # @param claims [Claims]
        # @return [Array<Finding>]
        def findings(claims)
          groups = @context.questions.realpaths.values + @context.questions.repeats.values.select(&:chain?)
          groups.filter_map { |group| resolved(group, claims) }
        end

        private

        def resolved(group, claims)
          calls = claims.free(group.calls)
          return if calls.empty?

          finding(:repeated_realpath, group.place, calls, claims,
                  fix: FIX, fail_rate: nil, saved: savings.repeated(calls), assumption: held,
                  known_from: known_from(group.place, group.answers),
                  message: message(group, calls))
        end

        def message(group, calls)
          total = group.place.calls.values_at(*calls.map(&:name).uniq).sum
          "#{Prose.number(calls.size)} of #{Prose.some(total, "call")} (#{Prose.functions(calls)}) resolve what was " \
            "resolved before: #{Prose::HELD}"
        end
      end
    end
  end
end
