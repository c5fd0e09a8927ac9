# frozen_string_literal: true

require_relative "../support/duration"
require_relative "../support/markdown"

module Frugal
  module ErrorsBench
    # The table that compares exceptions in Puma: none, a new one each time, and one that is
    # raised again and again; with its trace rendered for a log, and without.
    class ExceptionTable
      TITLE = "exceptions: requests per second, and processor time of one request"
      # Label, row with a rendered trace, row without.
      TABLE = [
        ["no exception", "200, returned", "200, returned"],
        ["a new exception each time", "raise, rendered and logged, 0 deep", "raise, not rendered"],
        ["one exception, raised again", "raise one again, rendered and logged", "raise one again, not rendered"],
        ["Frugal.halt", nil, "Frugal.halt, 0 deep"]
      ].freeze

      # @param results [Results]
      def initialize(results)
        @results = results
      end

      # @return [Array<String>] empty if Puma was not measured
      def section
        return [] if lines.empty?

        cells = lines.map { |label, *rows| [label, *rows.map { |row| cell(row) }] }
        table = Bench::Markdown.table([["", "trace rendered", "not rendered"], *cells])
        [["## #{TITLE}", "", *table].join("\n")]
      end

      # @param chart [Bench::Chart]
      # @return [void]
      def panel(chart)
        bars = lines.flat_map do |label, rendered, not_rendered|
          same = rendered.equal?(not_rendered)
          [bar(same ? label : "#{label}, rendered", rendered), (bar(label, not_rendered) unless same)].compact
        end
        chart.panel("exceptions: requests per second", bars) if bars.any?
      end

      private

      # @return [Array<Array(String, Row, Row)>]
      def lines
        return [] unless @results.subject("puma")

        TABLE.map { |label, *names| [label, *names.map { |name| @results.row("puma", name) if name }] }
             .select { |_, *rows| rows.any? }
      end

      def cell(row)
        return Report::NONE unless row&.cpu&.median

        [(rate(row) if row.rate), Bench::Duration.readable(row.cpu.median)].compact.join(", ")
      end

      def rate(row) = "#{Readable.count(row.rate.round)}/s"

      def bar(label, row) = ([label, row.rate, rate(row)] if row&.rate)
    end
  end
end
