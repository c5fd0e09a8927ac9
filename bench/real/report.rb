# frozen_string_literal: true

require_relative "results"
require_relative "../support/duration"
require_relative "../support/report"

module Frugal
  module RealBench
    # The report as Markdown and JSON. docs/does-it-help-me.md quotes its tables.
    class Report < Bench::Report
      LEGEND = <<~TEXT.chomp
        Each program runs alternately stock and under frugal run, in a new process each time. "CPU" is processor time, user and system, of all
        its processes, launcher included, as the median of the rounds. "stock / frugal" is the median of the ratios by round (above 1: frugal
        takes less), "range" their 95 % confidence interval, or the lowest and the highest of five rounds or fewer. "calls" are all system
        calls, as counted by strace. sizes: one process, start included; for 100 it checks 100 file tasks (build), lists, finds, or copies and
        removes a tree of 100 sources and 100 targets, or makes 100 transactions that read (pstore); "gains from" is the smallest size from which on the whole range is above 1. programs: those of test/real/corpus, in a fresh copy of
        their tree each time, after some runs under frugal run in which it kept their bytecode; test/real compares their output.
      TEXT
      private_constant :LEGEND

      private

      def legend = LEGEND

      def verdict
        best = @results.rows.max_by { |row| row.ratio.median } or return "nothing was measured"
        "#{[best.name, best.size&.then { |size| Readable.count(size) }].compact.join(", ")}: stock / frugal #{times(best.ratio.median)}"
      end

      def sections
        [*(sizes if @results.sized.any?), *(calls if @results.sized.any?), *(programs if @results.programs.any?)]
      end

      def sizes
        rows = @results.sized.map do |name, all|
          from = Results.gains_from(all)
          [name, *all.map { |row| times(row.ratio.median) }, from ? Readable.count(from) : "never"]
        end
        section("sizes: processor time, stock / frugal, by the number of files", [["", *titles, "gains from"], *rows])
      end

      def calls
        rows = @results.sized.map { |name, all| [name, *all.flat_map { |row| pair(row.calls) }] }
        section("calls: system calls, by the number of files", [["", *titles.flat_map { |size| ["#{size}: stock", "#{size}: frugal"] }], *rows])
      end

      def programs
        header = ["", "stock, CPU", "frugal, CPU", "stock / frugal", "range", "stock, calls", "frugal, calls", "drop-ins"]
        rows = @results.programs.map do |row|
          ratio = row.ratio
          [row.name, *row.seconds.map { |one| Bench::Duration.readable(one) }, times(ratio.median),
           "#{times(ratio.low)} – #{times(ratio.high)}", *pair(row.calls), row.dropins&.join(", ") || NONE]
        end
        section("programs: real programs", [header, *rows])
      end

      def section(title, rows) = "## #{title}\n\n#{Bench::Markdown.table(rows).join("\n")}"

      def titles = @results.sized.values.first.map { |row| Readable.count(row.size) }

      def pair(counts) = (counts || [nil, nil]).map { |count| count ? Readable.count(count) : NONE }

      def times(ratio) = format("%.2f×", ratio)
    end
  end
end
