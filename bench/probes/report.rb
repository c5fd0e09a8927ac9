# frozen_string_literal: true

require_relative "results"
require_relative "../support/report"

module Frugal
  module ProbesBench
    # The report as Markdown, chart and JSON.
    class Report < Bench::Report
      CHART = "The cost of one question to the file system"
      # Of one idiom with one question, see {Asked}.
      TABLE = [
        *Results::TEMPERATURES.map do |temperature|
          [temperature == :cold ? "cold" : "warm, #{temperature}", ->(asked) { micros(asked.median(temperature)) }]
        end,
        ["calls", ->(asked) { asked.cost&.total }], ["exceptions", ->(asked) { asked.cost&.exceptions }],
        ["probe / this", ->(asked) { ratio(asked.ratio) }],
        ["names of the calls", ->(asked) { asked.cost&.names }]
      ].freeze
      Asked = Struct.new(:results, :question, :presence, :idiom) do
        def label = "#{presence}, #{idiom}"
        def median(temperature) = results.median(question, presence, temperature, idiom)
        def cost = results.cost(question, presence, idiom)
        def ratio = results.ratio(question, presence, 0, idiom)
      end
      private_constant :Asked

      private

      def subtitle = "µs, medians; #{@facts[:machine][:cpu]}"

      # A bar for each time in the tables.
      def panels(chart) = [@results, *@results.others].each { |results| panels_of(chart, results) }

      def panels_of(chart, results)
        QUESTIONS.keys.product(PRESENCE) do |question, presence|
          name = [question, *results.jruby, presence].join(", ")
          warm = Results::DEPTHS.flat_map { |depth| times_of(results, question, presence, depth) }
          chart.panel("#{name}, warm, µs", warm)
          cold = times_of(results, question, presence, :cold)
          chart.panel("#{name}, cold, µs", cold) if cold.any?
        end
      end

      def verdict
        parts = PRESENCE.map do |presence|
          times = [ExceptionIdiom::LABEL, Results::PROBE].map { |label| @results.median(:entries, presence, 0, label) }
          "#{presence} #{times.map { |time| micros(time) || NONE }.join(" → ")} µs"
        end
        "Dir.entries or rescue → Frugal.entries: #{parts.join(", ")}; #{sum_of_goals}"
      end

      def legend
        difference = @results.open_instead_of_stat&.then { |seconds| format("%+.2f", seconds * 1e6) } || NONE
        <<~TEXT.chomp
          #{count(@results.size)} directories with a file in each. Times are µs of one question, as medians of the rounds.
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
          [*QUESTIONS.keys.map { |question| section_of(results, question) },
           *results.require_goals.map { |goal| "## #{goal.subject}: require \"frugal\" in a new process\n\n- #{goal}" }]
        end
      end

      def section_of(results, question)
        rows = PRESENCE.product(results.idioms).map { |presence, idiom| Asked.new(results, question, presence, idiom) }
        goals = results.goals(question).map { |goal| "- #{goal}" }
        section([question, results.jruby].compact.join(", "), QUESTIONS[question], *table(TABLE, rows), "", *goals)
      end

      def times_of(results, question, presence, temperature)
        results.idioms.filter_map do |label|
          seconds = results.median(question, presence, temperature, label) or next
          place = temperature == :cold ? "cold" : "#{temperature} frames"
          ["#{label}, #{place}", seconds * 1e6, "#{micros(seconds)} µs"]
        end
      end

      def micros(seconds) = seconds && format("%.2f", seconds * 1e6)
    end
  end
end
