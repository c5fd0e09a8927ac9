# frozen_string_literal: true

require_relative "results"
require_relative "../support/report"

module Frugal
  module RailsBench
    # The report as Markdown and JSON.
    class Report < Bench::Report
      LEGEND = <<~TEXT.chomp
        Processor time, the medians of the rounds; each side has a process of its own in each round. "request": a page without data, after
        three others; "checkers": all file checkers of the application asked once, without a request; "calls": system calls on files in one
        request; "watched": the folders and files that the checkers watch. "free": the checkers answer at once that nothing has changed.
      TEXT
      private_constant :LEGEND

      private

      def legend = LEGEND

      def verdict
        one = @results.cases.last or return "nothing was measured"
        stock, ours, = @results.of(one)
        "#{one.title}: a request #{milliseconds(stock.request)} → #{milliseconds(ours.request)}, " \
          "#{Readable.ratio(stock.request / ours.request)}; #{Bench::Goal.sum(@results.goals)}"
      end

      def sections
        @results.cases.map do |one|
          rows = @results.of(one)
          goals = @results.goals.select { |goal| goal.subject == one.name }
          table = Bench::Markdown.table([["", "request", "/ frugal", "checkers", "calls", "watched"], *rows.map { |row| cells(row, rows[1]) }])
          ["## #{one.name}: #{one.title}", "", *table, "", *goals.map { |goal| "- #{goal}" }].join("\n")
        end
      end

      def cells(row, ours)
        [row.side, milliseconds(row.request), Readable.ratio(row.request / ours.request), milliseconds(row.check),
         row.file_calls ? Readable.count(row.file_calls) : NONE, Readable.count(row.watched)]
      end

      def milliseconds(seconds) = format("%.2f ms", seconds * 1000)
    end
  end
end
