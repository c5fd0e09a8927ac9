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
      OVERHEADS = [
        ["plain, CPU", ->(row) { milliseconds(row.median(:plain, 0)) }],
        *[["recorder, CPU", :recorder, 0], ["wall", :recorder, 1], ["strace, CPU", :strace, 0], ["wall", :strace, 1]]
          .map { |title, side, part| [title, ->(row) { ratio(row.ratio(side, part)) }] }
      ].freeze
      PREDICTIONS = [
        ["finding", ->(row) { row.subject.kind }], ["stock, CPU", ->(row) { milliseconds(row.median("stock", 0)) }],
        ["predicted", ->(row) { milliseconds(row.predicted) }], ["measured", ->(row) { milliseconds(row.measured(0)) }],
        ["range", ->(row) { row.range.map { |time| milliseconds(time) }.join(" – ") }],
        ["wall", ->(row) { milliseconds(row.measured(1)) }], ["error", ->(row) { format("%+.0f %%", row.error * 100) }]
      ].freeze

      private

      def verdict
        worst = @results.overheads.filter_map { |row| row.ratio(:recorder, 0) }.max
        number = @results.predictions.size
        parts = [("the recorder costs at most #{ratio(worst)} of CPU" if worst),
                 ("#{@results.good} of #{number} predictions are within ±20 %" if number.positive?)]
        [*parts.compact, sum_of_goals].join("; ")
      end

      def sections
        overheads, predictions = [[OVERHEADS, @results.overheads], [PREDICTIONS, @results.predictions]].map do |columns, rows|
          table(columns, rows).join("\n") if rows.any?
        end
        [overheads, report, predictions, all_goals].compact
      end

      def report
        one = @results.report or return

        parts = %i[reading analysis terminal json].map { |part| "#{part} #{milliseconds(one[part])}" }
        "A report of #{count(one.calls)} calls: #{parts.join(", ")}; #{one.milliseconds.round} ms of " \
          "processor time per 100,000 calls."
      end

      def milliseconds(seconds) = seconds && format("%.1f ms", seconds * 1000)
    end
  end
end
