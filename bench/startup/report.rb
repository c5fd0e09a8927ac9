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
      private_constant :LEGEND

      private

      def legend = LEGEND

      def verdict
        row = @results.rows.first
        "#{row.case.name}: frugal run adds #{row.added_calls || "?"} system calls and #{milliseconds(row.added_cpu)} of CPU; " \
          "#{Bench::Goal.sum(@results.goals)}"
      end

      def sections
        header = ["", "stock, calls", "added", "at most", "stock, CPU", "added", "at most"]
        [Bench::Markdown.table([header, *@results.rows.map { |row| cells(row) }]).join("\n"),
         @results.goals.map { |goal| "- #{goal.subject}: #{goal}" }.join("\n")]
      end

      def cells(row)
        stock = Compare::Statistics.median(row.cpu.map(&:first)) * 1_000_000
        [row.case.name, row.calls ? Readable.count(row.calls.first) : NONE, row.added_calls&.to_s || NONE,
         row.case.calls.to_s, milliseconds(stock), milliseconds(row.added_cpu), milliseconds(row.case.cpu)]
      end

      def milliseconds(microseconds) = format("%.1f ms", microseconds / 1000.0)
    end
  end
end
