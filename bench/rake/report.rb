# frozen_string_literal: true

require_relative "document"
require_relative "../support/chart"
require_relative "../support/report"

module Frugal
  module RakeBench
    # The report as Markdown, chart and JSON. The Markdown has the verdict, the machine, and
    # a section for each case.
    class Report < Bench::Report
      # @return [String] one indented JSON document
      def document = Document.of(@results, @facts)

      # @return [String] SVG: a bar for each rival that did not fail
      def chart
        subtitle = "wall seconds, medians; #{@facts[:machine][:cpu]}, #{@facts[:machine][:file_system]}"
        chart = Bench::Chart.new("Rake, with and without frugal", subtitle)
        names = @results.names
        (names.one? ? names : names - ["boot"]).each do |name|
          bars = @results.rows(name).map do |row|
            [row.label, row.median, row.death ? "dies: #{row.death}" : seconds(row.median).to_s]
          end
          chart.panel(@results.title(name), bars)
        end
        chart.to_s
      end

      # @return [String] the verdict in one line
      def verdict
        judged = @results.judgements.select { |judgement| %w[met short].include?(judgement.verdict[/\w+/]) }
        met = judged.count { |judgement| judgement.verdict == "met" }
        return "#{headline}; no target is judged (quick sizes)" if judged.empty?

        "#{headline}; #{met} of #{judged.size} targets met"
      end

      private

      def headline
        names = ["p50000", *@results.names - ["boot"], "boot"]
        name = names.find { |key| complete?(key) }
        return "no case was completed" unless name

        before, after = [@results.baseline(name), @results.frugal(name)]
        medians = [before, after].map { |row| Readable.seconds(row.median) }.join(" → ")
        "#{@results.title(name)}: #{before.label} #{medians}, #{Readable.ratio(after.against(before).median)}"
      end

      # Whether the baseline and frugal have been measured.
      def complete?(name)
        frugal = @results.frugal(name)
        frugal && [@results.baseline(name), frugal].all? { |row| row.rounds.positive? }
      end

      def sections = @results.names.map { |name| section(name) }

      def legend
        <<~TEXT.chomp
          All files were in the cache. "wall" and "CPU" are seconds of one run, as medians of the rounds. "#{@results.installed.label} / this"
          is the time of that Rake divided by the time of the rival, as the median of the ratios by round. "stats" are the stat calls of one
          run about paths of the tree; "per path" is that number divided by the number of distinct paths. "exceptions" are all exceptions that
          the Ruby processes raised. "above the boot" is the time minus the median time with an empty Rakefile; a difference below
          #{Readable.seconds(Results::MIN_ABOVE_BOOT)} counts as #{Readable.seconds(Results::MIN_ABOVE_BOOT)}.
          "processor time by phase" is that of the thread that runs Rake and of frugal's threads, without those of the JVM that compile and
          collect garbage. Targets: #{Target::SOURCE}.
        TEXT
      end

      def section(name)
        lines = ["## #{name}: #{@results.title(name)}", "", *Bench::Markdown.table(columns(name)), "", *phases(name)]
        lines.concat(own_ratios(name)).concat(@results.judgements(name).map { |judgement| "- #{judgement}" })
        lines.join("\n").rstrip
      end

      # @return [Array<Array<String>>] rows, without empty columns
      def columns(name)
        rows = @results.rows(name).map { |row| cells(name, row) }
        header = rows.first.keys
        filled = header.select { |column| rows.any? { |cells| cells[column] } }
        [filled.map(&:to_s), *rows.map { |cells| filled.map { |column| cells[column] || NONE } }]
      end

      # A table of the phases, where they were measured.
      def phases(name)
        rows = @results.rows(name).select { |row| row.phases.any? }
        return [] if rows.empty?

        header = ["processor time by phase", "boot", "Rakefile", "build", "after boot", "in all"]
        cells = rows.map do |row|
          [row.label, *%i[boot rakefile build after_boot whole].map { |phase| seconds(row.median_of(phase)) }]
        end
        [*Bench::Markdown.table([header, *cells]), ""]
      end

      def cells(name, row)
        ratio = row.against(@results.baseline(name))
        { "" => row.label, wall: row.death ? "dies: #{row.death}" : seconds(row.median), CPU: seconds(row.median(:cpus)),
          "#{@results.installed.label} / this" => ratio && Readable.ratio(ratio.median), "min – max" => range(ratio),
          rounds: row.rounds.to_s, stats: row.stat_calls && Readable.count(row.stat_calls.total),
          "per path" => row.stat_calls && format("%.2f", row.stat_calls.per_path), exceptions: row.exceptions&.to_s }
      end

      # The ratio of each Rake without and with frugal, also above the boot if the times include it.
      def own_ratios(name)
        @results.rows(name).select { |row| row.rival.frugal? && row.rounds.positive? }.filter_map do |row|
          ratio = row.against(@results.stock(name, row)) or next
          net = @results.above_boot(name, row) if @results.boots?(name)
          above = "; above the boot of an empty Rakefile #{Readable.ratio(net.median)} (#{range(net)})" if net
          "- #{row.rival.stock} / #{row.label}: #{Readable.ratio(ratio.median)} (#{range(ratio)})#{above}"
        end
      end

      def seconds(value) = value && Readable.seconds(value)

      def range(ratio) = ratio&.pairs&.minmax&.map { |value| Readable.ratio(value) }&.join(" – ")
    end
  end
end
