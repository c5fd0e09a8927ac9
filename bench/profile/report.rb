# frozen_string_literal: true

require_relative "results"
require_relative "../support/report"

module Frugal
  module ProfileBench
    # The report as Markdown and JSON.
    class Report < Bench::Report
      LEGEND = <<~TEXT.chomp
        Each program runs alternately plain and with the recorder, in a new process each time, and once under
        strace -f -c. Ratios are medians of those of each round. "predicted" is what the findings of a kind say that
        they save, minus what they still say of the changed program; "measured" is the median of the differences of
        processor time (user and system) by round.
      TEXT
      private_constant :LEGEND

      private

      def legend = LEGEND

      def verdict
        worst = @results.overheads.filter_map { |row| row.ratio(:recorder, 0) }.max
        number = @results.predictions.size
        parts = [("the recorder costs at most #{ratio(worst)} of CPU" if worst),
                 ("#{@results.good} of #{number} predictions are within ±20 %" if number.positive?)]
        [*parts.compact, Bench::Goal.sum(@results.goals)].join("; ")
      end

      def sections = [overheads, report, predictions, goals].compact

      def overheads
        return if @results.overheads.empty?

        header = ["", "plain, CPU", "recorder, CPU", "wall", "strace, CPU", "wall"]
        rows = @results.overheads.map do |row|
          [row.case.title, milliseconds(row.median(:plain, 0)),
           *%i[recorder strace].product([0, 1]).map { |side, part| ratio(row.ratio(side, part)) }]
        end
        Bench::Markdown.table([header, *rows]).join("\n")
      end

      def report
        one = @results.report or return

        parts = %i[reading analysis terminal json].map { |part| "#{part} #{milliseconds(one[part])}" }
        "A report of #{Readable.count(one.calls)} calls: #{parts.join(", ")}; #{one.milliseconds.round} ms of " \
          "processor time per 100,000 calls."
      end

      def predictions
        return if @results.predictions.empty?

        header = ["", "finding", "stock, CPU", "predicted", "measured", "range", "wall", "error"]
        Bench::Markdown.table([header, *@results.predictions.map { |row| prediction(row) }]).join("\n")
      end

      def prediction(row)
        times = [row.median("stock", 0), row.predicted, row.measured(0)].map { |time| milliseconds(time) }
        [row.case.title, row.case.kind.to_s, *times, row.range.map { |time| milliseconds(time) }.join(" – "),
         milliseconds(row.measured(1)), format("%+.0f %%", row.error * 100)]
      end

      def goals = @results.goals.map { |goal| "- #{goal.subject}: #{goal}" }.join("\n")

      def ratio(value) = value ? Readable.ratio(value) : NONE

      def milliseconds(seconds) = seconds ? format("%.1f ms", seconds * 1000) : NONE
    end
  end
end
