# frozen_string_literal: true

require_relative "results"
require_relative "../support/chart"
require_relative "../support/report"

module Frugal
  module LinksBench
    # The report as Markdown, chart and JSON.
    class Report < Bench::Report
      # Case and rival (nil: the first rival). The first case that was measured is used for the verdict.
      HEADLINES = [["strings", "Dir.glob"], ["count", "Dir.glob"], ["mesh", "find -L"],
                   *Cases::NAMES.map { |name| [name, nil] }].freeze

      # @return [String] SVG: a bar for each rival that did not fail
      def chart
        subtitle = "ms, medians; #{@facts[:machine][:cpu]}, #{@facts[:machine][:file_system]}"
        chart = Bench::Chart.new("Listing a tree", subtitle)
        @results.names.each do |name|
          title = "#{name}: #{@results.title(name)}, #{Readable.count(@results.ours(name).paths)} paths, ms"
          chart.panel(title, @results.rows(name).map { |row| bar(name, row) })
        end
        chart.to_s
      end

      LEGEND = <<~TEXT.chomp
        All files were in the cache. "ms" is the median of the rounds. "/ ours" is the time of the rival divided by that of the first row,
        as the median of the ratios by round. "paths" is the number of paths that it listed below the root. find, fd and bfs are separate
        programs (fd and bfs are optional: apt-get install fd-find bfs): their start is included, their output goes to /dev/null and is not
        sorted. frugal and the rivals in Ruby run in one process and each create an Array of Strings (count does not). Java is Files.walk
        with FOLLOW_LINKS in one JVM for all rounds, whose start is not included, with sorted Strings. Dir.glob and Find.find do not follow
        links, so they list fewer paths in trees with links. find, fd and bfs leave out a link that leads back; frugal lists it but does not
        enter it. "Java, listFiles" makes sorted Strings, too. JRuby runs in a process of its own, and lists a tree six times before it is
        timed. "Ruby by hand" enters every directory, including links to directories, unless its real path contains the current one.
      TEXT
      private_constant :LEGEND

      private

      def legend = LEGEND

      def bar(name, row)
        return [row.label, nil, "dies: #{row.death}"] unless row.median

        [row.label, row.median * 1000, "#{milliseconds(row)} ms#{other_paths(name, row)}"]
      end

      def sections = @results.names.map { |name| section(name) }

      def verdict
        name, label = HEADLINES.find { |subject,| @results.names.include?(subject) }
        ours = @results.ours(name)
        others = @results.rows(name).select { |row| row.median && !row.label.start_with?("frugal") }
        other = others.find { |row| row.label == label } || others.first
        return "all rivals failed" unless other

        ratio = ours.series.against(other.series).median
        "#{Readable.count(ours.paths)} paths, #{@results.title(name)}: #{other.label} #{milliseconds(other)} ms → " \
          "#{milliseconds(ours)} ms, #{Readable.ratio(ratio)}; #{Bench::Goal.sum(@results.goals)}"
      end

      def section(name)
        cells = @results.rows(name).map { |row| cells(name, row) }
        table = Bench::Markdown.table([["", "ms", "min – max", "/ ours", "paths"], *cells])
        ["## #{name}: #{@results.title(name)}", "", *table, "", *@results.goals(name).map { |goal| "- #{goal}" }]
          .join("\n").rstrip
      end

      def cells(name, row)
        ratio = @results.ours(name).series.against(row.series)
        [row.label, row.median ? milliseconds(row) : "dies: #{row.death}", range(row),
         ratio ? Readable.ratio(ratio.median) : NONE, row.paths ? Readable.count(row.paths) : NONE]
      end

      def range(row)
        times = row.series.times.compact
        times.empty? ? NONE : times.minmax.map { |time| format("%.1f", time * 1000) }.join(" – ")
      end

      # @return [String, nil] the number of listed paths, if it differs from frugal's
      def other_paths(name, row)
        ", #{Readable.count(row.paths)} paths" if row.paths != @results.ours(name).paths
      end

      def milliseconds(row) = format("%.1f", row.median * 1000)
    end
  end
end
