# frozen_string_literal: true

require_relative "results"
require_relative "../support/chart"
require_relative "../support/report"

module Frugal
  module LinksBench
    # The results for people (Markdown, and a chart) and for programs (JSON).
    class Report < Bench::Report
      # Case, and against whom (nil: the first of them): the first that was measured makes the verdict.
      HEADLINES = [["strings", "Dir.glob"], ["count", "Dir.glob"], ["mesh", "find -L"], *Cases::NAMES.map { |name| [name, nil] }].freeze

      # @return [String] SVG: a bar for each rival that ended
      def chart
        chart = Bench::Chart.new("Listing a tree", "ms, medians; #{@facts[:machine][:cpu]}, #{@facts[:machine][:file_system]}")
        @results.names.each do |name|
          bars = @results.rows(name).map do |row|
            [row.label, row.median && row.median * 1000, row.median ? "#{milliseconds(row)} ms#{other_paths(name, row)}" : "dies: #{row.death}"]
          end
          chart.panel("#{name}: #{@results.title(name)}, #{Compare::Units.count(@results.ours(name).paths)} paths, ms", bars)
        end
        chart.to_s
      end

      LEGEND = <<~TEXT.chomp
        Warm: all was in the cache. ms are medians of the rounds; "/ ours" is how often the first row fits into a rival, the median of
        the ratios by round; paths is what it listed below the root. find, fd and bfs (fd and bfs are optional: apt-get install fd-find
        bfs) are programs of their own, boot included, output to /dev/null, nothing sorted; Ruby's rivals and frugal run in one process
        and make an Array of Strings each (count makes none). Java is Files.walk with FOLLOW_LINKS in one JVM for all rounds, sorted
        Strings, boot not included. Dir.glob and Find.find enter no links: where there are some, they list less;
        find, fd and bfs leave out a link that leads back, which frugal lists and does not enter. "Ruby by hand" enters
        what File.directory? says, unless File.realpath says that it is inside of it.
      TEXT
      private_constant :LEGEND

      private

      def legend = LEGEND

      def sections = @results.names.map { |name| section(name) }

      def verdict
        name, label = HEADLINES.find { |subject,| @results.names.include?(subject) }
        ours = @results.ours(name)
        others = @results.rows(name).select { |row| row.median && !row.label.start_with?("frugal") }
        other = others.find { |row| row.label == label } || others.first
        return "no rival ended" unless other

        ratio = ours.series.against(other.series).median
        "#{Compare::Units.count(ours.paths)} paths, #{@results.title(name)}: #{other.label} #{milliseconds(other)} ms → " \
          "#{milliseconds(ours)} ms, #{Compare::Units.ratio(ratio)}; #{Bench::Goal.sum(@results.goals)}"
      end

      def section(name)
        table = Bench::Markdown.table([["", "ms", "min – max", "/ ours", "paths"], *@results.rows(name).map { |row| cells(name, row) }])
        ["## #{name}: #{@results.title(name)}", "", *table, "", *@results.goals(name).map { |goal| "- #{goal}" }].join("\n").rstrip
      end

      def cells(name, row)
        ratio = @results.ours(name).series.against(row.series)
        [row.label, row.median ? milliseconds(row) : "dies: #{row.death}", range(row), ratio ? Compare::Units.ratio(ratio.median) : NONE,
         row.paths ? Compare::Units.count(row.paths) : NONE]
      end

      def range(row)
        known = row.series.times.compact
        known.empty? ? NONE : known.minmax.map { |time| format("%.1f", time * 1000) }.join(" – ")
      end

      # @return [String, nil] what it listed, where that is not what ours did
      def other_paths(name, row)
        ", #{Compare::Units.count(row.paths)} paths" if row.paths != @results.ours(name).paths
      end

      def milliseconds(row) = format("%.1f", row.median * 1000)
    end
  end
end
