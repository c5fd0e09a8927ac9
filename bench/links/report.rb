# frozen_string_literal: true

require_relative "results"
require_relative "../support/report"

module Frugal
  module LinksBench
    # The report as Markdown, chart and JSON.
    class Report < Bench::Report
      # Case and rival (nil: the first rival). The first case that was measured is used for the verdict.
      HEADLINES = [["strings", "Dir.glob"], ["count", "Dir.glob"], ["mesh", "find -L"],
                   *Cases::NAMES.map { |name| [name, nil] }].freeze

      CHART = "Listing a tree"
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
      TABLE = [
        ["ms", ->(row) { milliseconds(row.median) }], ["min – max", ->(row) { range(row[:time]) }],
        ["/ ours", ->(row) { ratio(@results.times(row, @results.ours(row.subject))) }],
        ["paths", ->(row) { count(row.paths) }]
      ].freeze

      private

      def verdict
        name, label = HEADLINES.find { |subject,| @results.subject(subject) }
        subject = @results.subject(name)
        ours = @results.ours(subject)
        others = @results.rows(subject).select { |row| row.median && !row.label.start_with?("frugal") }
        other = others.find { |row| row.label == label } || others.first
        return "all rivals failed" unless other

        "#{count(ours.paths)} paths, #{subject.title}: #{other.label} #{milliseconds(other.median)} ms → " \
          "#{milliseconds(ours.median)} ms, #{ratio(@results.times(other, ours))}; #{sum_of_goals}"
      end

      def body(subject) = table(TABLE, @results.rows(subject))

      # What was measured before it failed is shown.
      def failed(row, columns)
        [row.median ? milliseconds(row.median) : "dies: #{row.death}", *cells(row, columns.drop(1))]
      end

      def subtitle = "ms, #{super}"

      # A bar for each rival that did not fail.
      def panels(chart)
        @results.subjects.each do |subject|
          ours = @results.ours(subject)
          title = "#{subject.name}: #{subject.title}, #{count(ours.paths)} paths, ms"
          chart.panel(title, @results.rows(subject).map { |row| bar(row, ours) })
        end
      end

      # Shows the number of listed paths, if it differs from frugal's.
      def bar(row, ours)
        return [row.label, nil, "dies: #{row.death}"] unless row.median

        paths = ", #{count(row.paths)} paths" if row.paths != ours.paths
        [row.label, row.median * 1000, "#{milliseconds(row.median)} ms#{paths}"]
      end

      def range(series) = (series.measured.minmax.map { |time| milliseconds(time) }.join(" – ") if series.median)

      def milliseconds(seconds) = format("%.1f", seconds * 1000)
    end
  end
end
