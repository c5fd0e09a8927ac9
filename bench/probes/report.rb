# frozen_string_literal: true

require_relative "results"
require_relative "../support/chart"
require_relative "../support/report"

module Frugal
  module ProbesBench
    # The results for people (Markdown, and a chart) and for programs (JSON).
    class Report < Bench::Report
      # @return [String] SVG: a bar for each time that the table has
      def chart
        chart = Bench::Chart.new("What one question to the file system costs", "µs, medians; #{@facts[:machine][:cpu]}")
        QUESTIONS.keys.product(PRESENCE) do |question, presence|
          chart.panel("#{question}, #{presence}, warm, µs", Results::DEPTHS.flat_map { |depth| bars(question, presence, depth) })
          cold = bars(question, presence, :cold)
          chart.panel("#{question}, #{presence}, cold, µs", cold) if cold.any?
        end
        chart.to_s
      end

      private

      def verdict
        parts = PRESENCE.map do |presence|
          times = [ExceptionIdiom::LABEL, Results::PROBE].map { |label| micros(@results.median(:entries, presence, 0, label)) }
          "#{presence} #{times.join(" → ")} µs"
        end
        "Dir.entries or rescue → Frugal.entries: #{parts.join(", ")}; #{Bench::Goal.sum(@results.goals)}"
      end

      def legend
        instead = @results.open_instead_of_stat&.then { |seconds| format("%+.2f", seconds * 1e6) } || NONE
        <<~TEXT.chomp
          #{Compare::Units.count(@results.size)} directories, and a file in each; times are µs of one question, medians of the rounds. "exception": ask, and
          rescue Errno::ENOENT; "stat first": File.directory? or File.exist?, ask if it is there, and rescue; "probe": Frugal's.
          0, 100, 300: warm, so many frames below the benchmark's own (an exception takes a backtrace along); cold: at 0.
          "probe / it": the probe's time divided by this one's, at 0 frames, the median of the ratios by round. Calls and
          exceptions are those of one question, counted. A miss of entries and read is told by `open`, outside of the VM lock,
          and not by `stat`: one call less where something is there, #{instead} µs where nothing is (here: Frugal.read less
          Frugal.mtime, both missing).
        TEXT
      end

      def sections = QUESTIONS.keys.map { |question| section(question) }

      def section(question)
        rows = PRESENCE.product(IDIOMS).map { |presence, idiom| cells(question, presence, idiom::LABEL) }
        table = Bench::Markdown.table([header, *rows])
        ["## #{question}: #{QUESTIONS[question]}", "", *table, "", *@results.goals(question).map { |goal| "- #{goal}" }].join("\n")
      end

      def header
        ["", *Results::DEPTHS.map { |depth| "warm, #{depth}" }, "cold", "calls", "exceptions",
         "probe / it", "which calls"]
      end

      def cells(question, presence, idiom)
        bill = @results.bill(question, presence, idiom)
        times = Results::TEMPERATURES.map { |temperature| micros(@results.median(question, presence, temperature, idiom)) }
        ratio = @results.ratio(question, presence, 0, idiom)
        ["#{presence}, #{idiom}", *times, bill&.total&.to_s || NONE, bill&.exceptions&.to_s || NONE,
         ratio ? Compare::Units.ratio(ratio) : NONE, bill&.calls ? bill.names : NONE]
      end

      def bars(question, presence, temperature)
        IDIOMS.filter_map do |idiom|
          seconds = @results.median(question, presence, temperature, idiom::LABEL) or next
          place = temperature == :cold ? "cold" : "#{temperature} frames"
          ["#{idiom::LABEL}, #{place}", seconds * 1e6, "#{micros(seconds)} µs"]
        end
      end

      def micros(seconds) = seconds ? format("%.2f", seconds * 1e6) : NONE
    end
  end
end
