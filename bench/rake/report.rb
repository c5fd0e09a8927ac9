# frozen_string_literal: true

require_relative "results"
require_relative "../support/report"

module Frugal
  module RakeBench
    # The report as Markdown, chart and JSON. The Markdown has the verdict, the machine, and
    # a section for each case.
    class Report < Bench::Report
      CHART = "Rake, with and without frugal"
      # A column that would be empty is left out.
      TABLE = [
        ["wall", ->(row) { time(row.median) }], ["CPU", ->(row) { time(row.median(:cpu)) }],
        [nil, ->(row) { ratio(against(row)&.median) }], # its header names the installed Rake
        ["min – max", ->(row) { range(against(row)) }], ["rounds", :rounds.to_proc],
        ["stats", ->(row) { count(row.stat_calls&.total) }],
        ["per path", ->(row) { row.stat_calls && format("%.2f", row.stat_calls.per_path) }],
        ["exceptions", :exceptions.to_proc]
      ].freeze
      PHASES = { "boot" => :boot, "Rakefile" => :rakefile, "build" => :build, "after boot" => :after_boot,
                 "in all" => :whole }.map { |title, phase| [title, ->(row) { time(row.phase(phase).median) }] }.freeze

      private

      def verdict = "#{headline}; #{sum_of_goals}"

      def headline
        names = ["p50000", *@results.names - ["boot"], "boot"]
        name = names.find { |key| complete?(key) }
        return "no case was completed" unless name

        before, after = [@results.baseline(name), @results.frugal(name)]
        medians = [before, after].map { |row| time(row.median) }.join(" → ")
        "#{before.subject.title}: #{before.label} #{medians}, #{ratio(@results.times(before, after))}"
      end

      # Whether the baseline and frugal have been measured.
      def complete?(name)
        frugal = @results.frugal(name)
        frugal && [@results.baseline(name), frugal].all? { |row| row.rounds.positive? }
      end

      def legend
        <<~TEXT.chomp
          All files were in the cache. "wall" and "CPU" are seconds of one run, as medians of the rounds. "#{@results.installed.label} / this"
          is the time of that Rake divided by the time of the rival, as the median of the ratios by round. "stats" are the stat calls of one
          run about paths of the tree; "per path" is that number divided by the number of distinct paths. "exceptions" are all exceptions that
          the Ruby processes raised. "above the boot" is the time minus the median time with an empty Rakefile; a difference below
          #{Readable.seconds(Results::MIN_ABOVE_BOOT)} counts as #{Readable.seconds(Results::MIN_ABOVE_BOOT)}.
          "processor time by phase" is that of the thread that runs Rake and of frugal's threads, without those of the JVM that compile and
          collect garbage. Targets: #{Goal::SOURCE}.
        TEXT
      end

      def body(subject)
        rows = @results.rows(subject)
        wall, *others = TABLE.map { |title, cell| [title || "#{@results.installed.label} / this", cell] }
        filled = others.select { |_, cell| rows.any? { |row| instance_exec(row, &cell) } }
        phased = rows.select { |row| row.phases.any? }
        [*table([wall, *filled], rows), *(["", *table(PHASES, phased, "processor time by phase")] if phased.any?)]
      end

      def failed(row, columns) = ["dies: #{row.death}", *cells(row, columns.drop(1))]

      def goals(name) = [*own_ratios(name), *super]

      # The ratio of each Rake without and with frugal, also above the boot if the times include it.
      def own_ratios(name)
        @results.rows(@results.subject(name)).filter_map do |row|
          next unless row.rival.frugal? && row.rounds.positive?

          own = row[:time].against(@results.stock(name, row)[:time]) or next

          net = @results.above_boot(name, row) if @results.boots?(name)
          above = "; above the boot of an empty Rakefile #{ratio(net.median)} (#{range(net)})" if net
          "- #{row.rival.stock} / #{row.label}: #{ratio(own.median)} (#{range(own)})#{above}"
        end
      end

      def subtitle = "wall seconds, #{super}"

      # A bar for each rival that did not fail.
      def panels(chart)
        subjects = @results.subjects
        (subjects.one? ? subjects : subjects.reject { |subject| subject.name == "boot" }).each do |subject|
          bars(chart, subject.title, @results.rows(subject))
        end
      end

      def against(row) = row[:time].against(@results.baseline(row.subject.name)[:time])

      def time(value) = value && Readable.seconds(value)

      def range(ratio) = ratio&.pairs&.minmax&.map { |value| ratio(value) }&.join(" – ")
    end
  end
end
