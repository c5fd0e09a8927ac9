# frozen_string_literal: true

require_relative "../support/duration"
require_relative "../support/markdown"

module Frugal
  module ErrorsBench
    # The table that this began with: no exception, a new one each time, one that
    # is raised again and again; its trace rendered for a log, or not.
    class Finding
      TITLE = "the finding's table: requests per second, and processor time of one"
      # Label, who renders, who does not.
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

      # @return [Array<String>] none where Puma was not measured
      def section
        return [] if lines.empty?

        table = Bench::Markdown.table([["", "trace rendered", "not rendered"], *lines.map { |label, *rows| [label, *rows.map { |row| cell(row) }] }])
        [["## #{TITLE}", "", *table].join("\n")]
      end

      # @param chart [Bench::Chart]
      # @return [void]
      def panel(chart)
        bars = lines.flat_map do |label, rendered, bare|
          same = rendered.equal?(bare)
          [bar(same ? label : "#{label}, rendered", rendered), (bar(label, bare) unless same)].compact
        end
        chart.panel("the finding's table: requests per second", bars) if bars.any?
      end

      private

      # @return [Array<Array(String, Row, Row)>]
      def lines
        return [] unless @results.subject("puma")

        TABLE.map { |label, *names| [label, *names.map { |name| @results.row("puma", name) if name }] }.select { |_, *rows| rows.any? }
      end

      def cell(row)
        return Report::NONE unless row&.cpu&.median

        [(rate(row) if row.rate), Bench::Duration.readable(row.cpu.median)].compact.join(", ")
      end

      def rate(row) = "#{Compare::Units.count(row.rate.round)}/s"

      def bar(label, row) = ([label, row.rate, rate(row)] if row&.rate)
    end
  end
end
