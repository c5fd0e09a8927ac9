# frozen_string_literal: true

require_relative "results"
require_relative "growth_report"
require_relative "../support/chart"
require_relative "../support/duration"
require_relative "../support/report"

module Frugal
  module PStoreBench
    # The results for people (Markdown, and a chart) and for programs (JSON).
    class Report < Bench::Report
      # The first of them that was measured makes the verdict.
      HEADLINES = ["changed", "durable", *Cases::NAMES].freeze
      WRITES = 50_000

      # @param results [Results]
      # @param facts [Hash{Symbol => Object}]
      def initialize(results, facts)
        super
        @growth = GrowthReport.new(results)
      end

      # @return [String] SVG: bars of the small store, lines of those that grow
      def chart
        chart = Bench::Chart.new("What a transaction of a store costs", "medians; #{@facts[:machine][:cpu]}, #{@facts[:machine][:file_system]}")
        small.each do |subject|
          bars = @results.rows(subject).map { |row| [row.label, row.median, row.death ? "dies: #{row.death}" : Bench::Duration.readable(row.median)] }
          chart.panel("#{subject.name}: #{subject.title}", bars)
        end
        @growth.plots.each { |plot| chart.plot(plot) }
        chart.to_s
      end

      LEGEND = <<~TEXT.chomp
        Each rival is a process of its own that lives as long as the benchmark; rounds go through the rivals in turn. A round is as many
        transactions as take about 50 ms, or one that takes longer; times are of one transaction, medians of the rounds. "/ ours" is how
        often the first row fits into a rival, the median of the ratios by round; "50,000 take" is the median times 50,000. calls are
        the system calls on files of one transaction, counted apart by strace; syncs are those of them that wait for the disk (fsync,
        fdatasync). read-only to durable: a session of seven roots in 250 bytes. "frugal, pstore": the drop-in on that PStore; its
        ultra_safe syncs, stock's does not. "a dump, a write and a sync alone" is no store: it locks nobody out and may tear. strings,
        hashes, shared: warm is a transaction of an object that has had some before; cold is the first of a new object, after somebody
        has touched the file, which is in memory all the same. A rival that took five seconds in a row has no more rounds: with a
        million roots stock's median is of one transaction, as "rounds" says.
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

        "#{subject}: #{theirs.label} #{Bench::Duration.readable(theirs.median)} → #{ours.label} #{Bench::Duration.readable(ours.median)}, " \
          "#{Compare::Units.ratio(@results.times(theirs, ours))}; #{Bench::Goal.sum(@results.goals)}"
      end

      def section(subject)
        header = ["", "time", "min – max", "/ ours", "50,000 take", "calls", "syncs", "which calls"]
        table = Bench::Markdown.table([header, *@results.rows(subject).map { |row| cells(subject, row) }])
        ["## #{subject.name}: #{subject.title}", "", *table, "", *@results.goals(subject.name).map { |goal| "- #{goal}" }].join("\n").rstrip
      end

      def cells(subject, row)
        return [row.label, "dies: #{row.death}", *[NONE] * 6] if row.death

        ratio = @results.times(row, @results.ours(subject))
        [row.label, Bench::Duration.readable(row.median), row.series.times.compact.minmax.map { |time| Bench::Duration.readable(time) }.join(" – "),
         ratio ? Compare::Units.ratio(ratio) : NONE, Bench::Duration.readable(row.median * WRITES), *bill(row)]
      end

      def bill(row)
        row.bill&.calls ? [row.bill.total.to_s, row.syncs.to_s, row.bill.names] : [NONE] * 3
      end
    end
  end
end
