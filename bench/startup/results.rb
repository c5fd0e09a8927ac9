# frozen_string_literal: true

require_relative "cases"
require_relative "../support/sides"

module Frugal
  module StartupBench
    # The rows of all programs, and whether they meet the targets.
    class Results < Bench::Results
      private

      def goals_of(name)
        one = subject(name)
        row = row(one, name)
        [goal(name, "system calls added", :at_most, one.calls, row.added_calls, judged: true),
         goal(name, "µs of CPU added", :at_most, one.cpu, row.added_cpu)]
      end

      def content = { cases: rows.to_h { |row| [row.label, { calls: row.calls, cpu: row.cpu }] } }
    end
  end
end
