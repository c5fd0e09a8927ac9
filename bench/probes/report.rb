# frozen_string_literal: true

require_relative "results"
require_relative "../support/chart"
require_relative "../support/report"

module Frugal
  module ProbesBench
    # The report as Markdown, chart and JSON.
    class Report < Bench::Report
      # @return [String] SVG: a bar for each time in the tables
      def chart
        chart = Bench::Chart.new("The cost of one question to the file system", "µs, medians; #{@facts[:machine][:cpu]}")
        [@results, *@results.others].each { |results| panels(chart, results) }
        chart.to_s
      end

      private

      def panels(chart, results)
        QUESTIONS.keys.product(PRESENCE) do |question, presence|
          name = [question, *results.jruby, presence].join(", ")
          chart.panel("#{name}, warm, µs", Results::DEPTHS.flat_map { |depth| bars(results, question, presence, depth) })
          cold = bars(results, question, presence, :cold)
          chart.panel("#{name}, cold, µs", cold) if cold.any?
        end
      end

      def verdict
        parts = PRESENCE.map do |presence|
          times = [ExceptionIdiom::LABEL, Results::PROBE].map { |label| micros(@results.median(:entries, presence, 0, label)) }
          "#{presence} #{times.join(" → ")} µs"
        end
        "Dir.entries or rescue → Frugal.entries: #{parts.join(", ")}; #{Bench::Goal.sum(@results.goals)}"
      end

      def legend
        difference = @results.open_instead_of_stat&.then { |seconds| format("%+.2f", seconds * 1e6) } || NONE
        <<~TEXT.chomp
          #{Readable.count(@results.size)} directories with a file in each. Times are µs of one question, as medians of the rounds.
          "exception": asks and rescues Errno::ENOENT; "stat first": calls File.directory? or File.exist? first, asks only if the file exists,
          and still rescues; "probe": calls frugal's probe. "warm, 0", "warm, 100", "warm, 300": additional stack frames, which an exception
          copies into its backtrace; "cold": at 0 frames. "probe / this": the time of the probe divided by this time, at 0 frames, as the median
          of the ratios by round. "calls" and "exceptions" are exact counts of one question. For a miss, entries and read call `open` outside of
          the VM lock, not `stat`: one call less if the file exists, and a difference of #{difference} µs if it is missing (here: Frugal.read
          minus Frugal.mtime, both of missing files).#{jruby}
        TEXT
      end

      # @return [String] the legend of the tables of JRuby
      def jruby
        return "" unless @results.others

        " The tables of #{@results.others.jruby} are processor time of one thread, for #{@results.others.size} of the paths, in " \
          "a JVM that has compiled the methods;\n\"Java, File\" and \"Java, Files\" are java.io.File and java.nio.file.Files, " \
          "in a JVM without Ruby."
      end

      def sections
        [@results, *@results.others].flat_map do |results|
          [*QUESTIONS.keys.map { |question| section(results, question) },
           *results.require_goals.map { |goal| "## #{goal.subject}: require \"frugal\" in a new process\n\n- #{goal}" }]
        end
      end

      def section(results, question)
        rows = PRESENCE.product(results.idioms).map { |presence, idiom| cells(results, question, presence, idiom) }
        table = Bench::Markdown.table([header, *rows])
        goals = results.goals(question).map { |goal| "- #{goal}" }
        ["## #{[question, results.jruby].compact.join(", ")}: #{QUESTIONS[question]}", "", *table, "", *goals].join("\n")
      end

      def header
        ["", *Results::DEPTHS.map { |depth| "warm, #{depth}" }, "cold", "calls", "exceptions",
         "probe / this", "names of the calls"]
      end

      def cells(results, question, presence, idiom)
        cost = results.cost(question, presence, idiom)
        times = Results::TEMPERATURES.map do |temperature|
          micros(results.median(question, presence, temperature, idiom))
        end
        ratio = results.ratio(question, presence, 0, idiom)
        ["#{presence}, #{idiom}", *times, cost&.total&.to_s || NONE, cost&.exceptions&.to_s || NONE,
         ratio ? Readable.ratio(ratio) : NONE, cost&.calls ? cost.names : NONE]
      end

      def bars(results, question, presence, temperature)
        results.idioms.filter_map do |label|
          seconds = results.median(question, presence, temperature, label) or next
          place = temperature == :cold ? "cold" : "#{temperature} frames"
          ["#{label}, #{place}", seconds * 1e6, "#{micros(seconds)} µs"]
        end
      end

      def micros(seconds) = seconds ? format("%.2f", seconds * 1e6) : NONE
    end
  end
end
