# frozen_string_literal: true

require "json"
require_relative "chart"
require_relative "duration"
require_relative "markdown"

module Frugal
  module Bench
    # A report of results as Markdown and as JSON. A benchmark defines its `LEGEND`, `verdict` and `sections`, and
    # `panels` of a chart if it draws one.
    #
    # A table is a list of columns, each with its header and a block that makes the cell of a row:
    #
    #   TABLE = [["time", ->(row) { duration(row.median) }], ["calls", ->(row) { row.cost&.total }]]
    class Report
      NONE = "–"

      # @param results [Results]
      # @param facts [Hash{Symbol => Object}] command, date, machine, load, notes
      def initialize(results, facts)
        @results = results
        @facts = facts
      end

      # @return [Hash{String => String}] file extension → contents
      def files = @files ||= { "md" => to_s, "json" => document, "svg" => chart }.compact

      # @return [String] Markdown; its first line is the verdict
      def to_s = ["# #{verdict}", Markdown.facts(@facts), legend, *sections].join("\n\n") << "\n"

      private

      # @return [String] one indented JSON document
      def document = "#{JSON.pretty_generate({ schema: 1, **@facts, **@results.to_h })}\n"

      # @return [String, nil] SVG; nil if the benchmark draws no chart
      def chart
        return unless self.class.const_defined?(:CHART)

        Chart.new(self.class::CHART, subtitle).tap { |chart| panels(chart) }.to_s
      end

      def subtitle = "medians; #{@facts[:machine].values_at(:cpu, :file_system).join(", ")}"

      def legend = self.class::LEGEND

      # A section for each case.
      def sections = @results.subjects.map { |subject| section(subject.name, subject.title, *body(subject)) }

      # @param lines [Array<String>] such as a table, and an empty line between two of them
      # @return [String] the lines, and the targets of the case
      def section(name, title, *lines) = ["## #{name}: #{title}", "", *lines, "", *goals(name)].join("\n").rstrip

      # @return [Array<String>]
      def goals(name) = (@results.subject(name) ? @results.goals(name) : []).map { |goal| "- #{goal}" }

      # @return [String] all targets with their cases
      def all_goals = @results.goals.map { |goal| "- #{goal.subject}: #{goal}" }.join("\n")

      # @param columns [Array<Array(String, Proc)>] the columns after the label
      # @param rows [Array<Row>]
      # @param corner [String] the header of the labels
      # @return [Array<String>] the lines of a table
      def table(columns, rows, corner = "", &label)
        label ||= :label.to_proc
        lines = rows.map do |row|
          failed = row.respond_to?(:death) && row.death
          [label.call(row), *(failed ? failed(row, columns) : cells(row, columns))]
        end
        Markdown.table([[corner, *columns.map(&:first)], *lines])
      end

      def cells(row, columns) = columns.map { |_, cell| (instance_exec(row, &cell) || NONE).to_s }

      # @return [Array<String>] the cells of a row that failed
      def failed(row, columns) = ["dies: #{row.death}", *[NONE] * (columns.size - 1)]

      # A panel with a bar for each row.
      def bars(chart, title, rows)
        chart.panel(title, rows.map do |row|
          [row.label, row.median, row.death ? "dies: #{row.death}" : time(row.median) || NONE]
        end)
      end

      # @return [String, nil] nil for nil, as in the following
      def duration(seconds) = seconds && Duration.readable(seconds)

      # The time of a bar.
      def time(seconds) = duration(seconds)

      def count(number) = number && Readable.count(number)

      def ratio(value) = value && Readable.ratio(value)

      def range(series) = series.measured.minmax.map { |time| duration(time) }.join(" – ")

      # A plot of times; its vertical scale has the powers of ten.
      def plot(chart, title, across, lines)
        chart.plot(Plot.new(title, across, lines) { |seconds| duration(seconds).sub(/\.0+(?= )/, "") })
      end

      # @return [String] how many targets are met
      def sum_of_goals = Goal.sum(@results.goals)
    end
  end
end
