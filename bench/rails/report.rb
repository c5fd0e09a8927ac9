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
      TABLE = [
        ["request", ->(row) { milliseconds(row.request) }],
        ["/ frugal", ->(row) { ratio(row.request / @results.row(row.subject, "frugal").request) }],
        ["checkers", ->(row) { milliseconds(row.check) }], ["calls", ->(row) { count(row.file_calls) }],
        ["watched", ->(row) { count(row.watched) }]
      ].freeze

      private

      def verdict
        one = @results.subjects.last or return "nothing was measured"
        stock, ours, = @results.rows(one)
        "#{one.title}: a request #{milliseconds(stock.request)} → #{milliseconds(ours.request)}, " \
          "#{ratio(stock.request / ours.request)}; #{sum_of_goals}"
      end

      def body(subject) = table(TABLE, @results.rows(subject))

      def milliseconds(seconds) = format("%.2f ms", seconds * 1000)
    end
  end
end
