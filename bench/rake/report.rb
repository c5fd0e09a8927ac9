# frozen_string_literal: true

require_relative "document"
require_relative "../support/report"

module Frugal
  module RakeBench
    # The results as Markdown whose tables are aligned, so that it reads well in
    # a terminal too: the verdict, the machine, one section a case.
    class Report < Bench::Report
      # @return [String] one indented JSON document
      def document = Document.of(@results, @facts)

      # @return [String] the verdict in one line
      def verdict
        judged = @results.judgements.select { |judgement| %w[met short].include?(judgement.verdict[/\w+/]) }
        met = judged.count { |judgement| judgement.verdict == "met" }
        return "#{headline}; quick sizes, so no target is judged" if judged.empty?

        "#{headline}; #{met} of #{judged.size} targets met"
      end

      private

      def headline
        names = ["p50000", *@results.names - ["boot"], "boot"]
        name = names.find { |key| @results.frugal(key) && [@results.baseline(key), @results.frugal(key)].all? { |row| row.rounds.positive? } }
        return "no case ran to its end" unless name

        before, after = [@results.baseline(name), @results.frugal(name)]
        medians = [before, after].map { |row| Compare::Units.seconds(row.median) }.join(" → ")
        "#{@results.title(name)}: #{before.label} #{medians}, #{Compare::Units.ratio(after.against(before).median)}"
      end

      def sections = @results.names.map { |name| section(name) }

      def legend
        <<~TEXT.chomp
          Warm: all files were in the cache. wall and CPU are medians, seconds of one run; "#{@results.installed.label} / this" is
          how often a rival fits into it, the median of the ratios by round; stats are the stat calls of one run about paths of the
          tree, per path divided by the distinct ones; exceptions are all that the Ruby processes raised.
          Above the boot: less the median time of an empty Rakefile; below #{Compare::Units.seconds(Results::LEAST)} that counts as #{Compare::Units.seconds(Results::LEAST)}.
          Targets: #{Target::SOURCE}.
        TEXT
      end

      def section(name)
        lines = ["## #{name}: #{@results.title(name)}", "", *Bench::Markdown.table(columns(name)), ""]
        lines.concat(own_ratios(name)).concat(@results.judgements(name).map { |judgement| "- #{judgement}" })
        lines.join("\n").rstrip
      end

      # @return [Array<Array<String>>] rows, without the columns that nobody filled
      def columns(name)
        rows = @results.rows(name).map { |row| cells(name, row) }
        header = rows.first.keys
        filled = header.select { |column| rows.any? { |cells| cells[column] } }
        [filled.map(&:to_s), *rows.map { |cells| filled.map { |column| cells[column] || NONE } }]
      end

      def cells(name, row)
        ratio = row.against(@results.baseline(name))
        { "" => row.label, wall: row.death ? "dies: #{row.death}" : seconds(row.median), CPU: seconds(row.median(:cpus)),
          "#{@results.installed.label} / this" => ratio && Compare::Units.ratio(ratio.median), "min – max" => range(ratio),
          rounds: row.rounds.to_s, stats: row.asks && Compare::Units.count(row.asks.total),
          "per path" => row.asks && format("%.2f", row.asks.per_path), exceptions: row.exceptions&.to_s }
      end

      # Each accelerated Rake against itself; the boot is told apart where it matters.
      def own_ratios(name)
        @results.rows(name).select { |row| row.rival.frugal? && row.rounds.positive? }.filter_map do |row|
          ratio = row.against(@results.stock(name, row)) or next
          net = @results.above_boot(name, row) if @results.boots?(name)
          above = "; above the boot of an empty Rakefile #{Compare::Units.ratio(net.median)} (#{range(net)})" if net
          "- #{row.rival.stock} / #{row.label}: #{Compare::Units.ratio(ratio.median)} (#{range(ratio)})#{above}"
        end
      end

      def seconds(value) = value && Compare::Units.seconds(value)

      def range(ratio) = ratio&.pairs&.minmax&.map { |value| Compare::Units.ratio(value) }&.join(" – ")
    end
  end
end
