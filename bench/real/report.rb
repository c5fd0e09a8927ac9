# frozen_string_literal: true

require_relative "results"
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
      PROGRAMS = [
        *%w[stock frugal].each_with_index.map { |side, i| ["#{side}, CPU", ->(row) { duration(row.seconds[i]) }] },
        ["stock / frugal", ->(row) { times(row.ratio.median) }],
        ["range", ->(row) { "#{times(row.ratio.low)} – #{times(row.ratio.high)}" }],
        *%w[stock frugal].each_with_index.map { |side, i| ["#{side}, calls", ->(row) { count(row.calls&.at(i)) }] },
        ["drop-ins", ->(row) { row.dropins&.join(", ") }]
      ].freeze

      private

      def verdict
        best = @results.rows.max_by { |row| row.ratio.median } or return "nothing was measured"
        "#{[best.label, count(best.subject.size)].compact.join(", ")}: stock / frugal #{times(best.ratio.median)}"
      end

      def sections
        sized = @results.sized.values.map { |rows| Sized.new(rows.first.label, rows) }
        sections = sized.empty? ? [] : [sizes(sized), calls(sized)]
        return sections if @results.programs.empty?

        [*sections, section("programs", "real programs", *table(PROGRAMS, @results.programs))]
      end

      # The rows of a program in all sizes are one row of a table.
      Sized = Struct.new(:label, :rows)
      private_constant :Sized

      def sizes(sized)
        columns = titles(sized) { |title, i| [[title, ->(one) { times(one.rows[i].ratio.median) }]] }
        columns << ["gains from", ->(one) { count(Results.gains_from(one.rows)) || "never" }]
        section("sizes", "processor time, stock / frugal, by the number of files", *table(columns, sized))
      end

      def calls(sized)
        columns = titles(sized) do |title, i|
          %w[stock frugal].each_with_index.map do |side, part|
            ["#{title}: #{side}", ->(one) { count(one.rows[i].calls&.at(part)) }]
          end
        end
        section("calls", "system calls, by the number of files", *table(columns, sized))
      end

      def titles(sized) = sized.first.rows.each_with_index.flat_map { |row, i| yield count(row.subject.size), i }

      def times(ratio) = format("%.2f×", ratio)
    end
  end
end
