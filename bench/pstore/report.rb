# frozen_string_literal: true

require_relative "results"
require_relative "growth_report"
require_relative "../support/chart"
require_relative "../support/duration"
require_relative "../support/report"

module Frugal
  module PStoreBench
    # The report as Markdown, chart and JSON.
    class Report < Bench::Report
      # The first case that was measured is used for the verdict.
      HEADLINES = ["changed", "durable", *Cases::NAMES].freeze
      WRITES = 50_000

      # @param results [Results]
      # @param facts [Hash{Symbol => Object}]
      def initialize(results, facts)
        super
        @growth = GrowthReport.new(results)
      end

      # @return [String] SVG: bars for the small store, lines for the growing stores
      def chart
        subtitle = "medians; #{@facts[:machine][:cpu]}, #{@facts[:machine][:file_system]}"
        chart = Bench::Chart.new("The cost of a transaction of a store", subtitle)
        small.each do |subject|
          bars = @results.rows(subject).map do |row|
            [row.label, row.median, row.death ? "dies: #{row.death}" : Bench::Duration.readable(row.median)]
          end
          chart.panel("#{subject.name}: #{subject.title}", bars)
        end
        @growth.plots.each { |plot| chart.plot(plot) }
        chart.to_s
      end

      LEGEND = <<~TEXT.chomp
        Each rival is a separate process that lives as long as the benchmark; each round measures every rival once. A round has as many
        transactions as take about 50 ms, but at least one. Times are of one transaction, as medians of the rounds. "/ ours" is the time of
        the rival divided by that of the first row, as the median of the ratios by round. "50,000 take" is the median times 50,000. "calls"
        are the system calls on files of one transaction, counted by strace in a separate run; "syncs" are those that wait for the disk
        (fsync, fdatasync). read-only to durable: a session of seven roots in 250 bytes. "frugal, pstore" is the drop-in with that PStore; its
        ultra_safe syncs, stock's does not. "a dump, a write and a sync alone" is not a store: it takes no lock and may leave a partly written
        file. strings, hashes, shared: "warm" is a transaction of an object that has had some before; "new object" includes the creation of
        the object and is its first transaction; "cold" is the same after the file's time has changed, although the file is still in
        memory. A rival that has taken five seconds skips the remaining rounds, as the column "rounds" shows: with a million roots, the
        median of stock is of one transaction.
      TEXT
      private_constant :LEGEND

      private

      def legend = LEGEND

      def sections
        @results.names.map { |name| @results.of(name).first.growth? ? @growth.section(name) : section(@results.of(name).first) }
      end

      def small = @results.subjects.reject(&:growth?)

      def verdict
        name = HEADLINES.find { |headline| @results.names.include?(headline) }
        subject = @results.of(name).last
        ours, theirs = [@results.ours(subject), @results.stock(subject)]
        return "nothing was measured" unless ours&.median && theirs&.median

        before, after = [theirs, ours].map { |row| "#{row.label} #{Bench::Duration.readable(row.median)}" }
        "#{subject}: #{before} → #{after}, #{Readable.ratio(@results.times(theirs, ours))}; " \
          "#{Bench::Goal.sum(@results.goals)}"
      end

      def section(subject)
        header = ["", "time", "min – max", "/ ours", "50,000 take", "calls", "syncs", "names of the calls"]
        table = Bench::Markdown.table([header, *@results.rows(subject).map { |row| cells(subject, row) }])
        goals = @results.goals(subject.name).map { |goal| "- #{goal}" }
        ["## #{subject.name}: #{subject.title}", "", *table, "", *goals].join("\n").rstrip
      end

      def cells(subject, row)
        return [row.label, "dies: #{row.death}", *[NONE] * 6] if row.death

        ratio = @results.times(row, @results.ours(subject))
        range = row.series.times.compact.minmax.map { |time| Bench::Duration.readable(time) }.join(" – ")
        [row.label, Bench::Duration.readable(row.median), range, ratio ? Readable.ratio(ratio) : NONE,
         Bench::Duration.readable(row.median * WRITES), *cost(row)]
      end

      def cost(row)
        row.cost&.calls ? [row.cost.total.to_s, row.syncs.to_s, row.cost.names] : [NONE] * 3
      end
    end
  end
end
