# frozen_string_literal: true

require_relative "results"
require_relative "../support/report"

module Frugal
  module StartupBench
    # The report as Markdown and JSON.
    class Report < Bench::Report
      LEGEND = <<~TEXT.chomp
        Each program runs alternately stock and under frugal run, in a new process each time. "calls" are all system calls, as counted by
        strace, launcher included. "CPU" is processor time, user and system; "added" is the median of the differences by round.
      TEXT
      TABLE = [
        ["stock, calls", ->(row) { count(row.calls&.first) }], ["added", :added_calls.to_proc],
        ["at most", ->(row) { row.subject.calls }],
        ["stock, CPU", ->(row) { milliseconds(row.seconds.first * 1_000_000) }],
        ["added", ->(row) { milliseconds(row.added_cpu) }], ["at most", ->(row) { milliseconds(row.subject.cpu) }]
      ].freeze

      private

      def verdict
        row = @results.rows.first
        "#{row.label}: frugal run adds #{row.added_calls || "?"} system calls and #{milliseconds(row.added_cpu)} of CPU; #{sum_of_goals}"
      end

      def sections = [table(TABLE, @results.rows).join("\n"), all_goals]

      def milliseconds(microseconds) = format("%.1f ms", microseconds / 1000.0)
    end
  end
end
