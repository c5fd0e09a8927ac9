# frozen_string_literal: true

require_relative "cases"
require_relative "../support/goal"
require_relative "../support/series"

module Frugal
  module LinksBench
    # The measurements of one rival in one case. `paths` is the number of listed paths,
    # `death` the reason if the rival failed.
    Row = Struct.new(:rival, :series, :paths, :death) do
      def label = rival.label

      def median = series.median
    end

    # The rows of each case, with ratios and targets.
    class Results
      # Case, row of frugal, row of the rival, minimum of rival ÷ frugal. Where JRuby is not installed, its rows are missing.
      TIMES = [
        ["count", "frugal, count", "fd", 3.0], ["count", "frugal, count", "Dir.glob", 3.7],
        ["strings", "frugal, walk", "Dir.glob", 2.4], ["strings", "frugal, walk", "fd", 2.2],
        ["strings", "frugal, walk", "Find.find", 13.0], ["strings", "frugal, walk", "bfs", 1.0],
        ["c-files", "frugal, walk", "Dir.glob", 2.5],
        ["stat", "frugal, walk", "Dir.glob, File.lstat", 2.5], ["stat", "frugal, walk", "find -printf", 1.1],
        ["chain", "frugal, walk", "Find.find", 10.0],
        ["refresh", "frugal, refresh", "Dir.glob", 14.0],
        ["run-find", "frugal run, Find.find", "Find.find", 4.0],
        ["run-glob", "frugal run, Dir.glob", "Dir.glob", 1.8],
        ["file-links", "frugal, :paths", "fd -L", 1.3],
        ["count", "JRuby, frugal, count", "JRuby, Dir.glob", 20.0],
        ["strings", "JRuby, frugal, walk", "JRuby, Dir.glob", 14.0], ["strings", "JRuby, frugal, walk", "JRuby, Find.find", 18.0],
        ["strings", "JRuby, frugal, walk", "Java, listFiles, Fork/Join", 3.0], ["strings", "JRuby, frugal, walk", "fd", 3.0],
        ["strings", "JRuby, frugal, walk", "JRuby, frugal, walk, 1 thread", 1.5],
        ["file-links", "JRuby, frugal, :paths", "fd -L", 1.3], ["mesh", "JRuby, frugal, :once", "find -L", 60.0]
      ].freeze
      # Row of frugal, maximum of the time with directory links ÷ the time of the plain tree.
      LINKS_TO_PLAIN = [["frugal, :paths", 1.1], ["JRuby, frugal, :paths", 1.25]].freeze
      FEWER_PATHS = 200.0 # minimum of find's paths ÷ frugal's paths, with :once in the mesh

      # @param quick [Boolean] whether the sizes are those of --quick, for which there are no targets
      def initialize(quick:)
        @quick = quick
        @rows = {}
        @cases = {}
      end

      # @return [Array<String>] in the order of the runs
      def names = @rows.keys

      def title(name) = @cases.fetch(name).title

      # @return [Array<Row>]
      def rows(name) = @rows.fetch(name, [])

      # @param subject [Case]
      # @return [Array<Row>] one for each rival
      def add(subject)
        @cases[subject.name] = subject
        @rows[subject.name] = subject.rivals.map { |rival| Row.new(rival, Bench::Series.new(rival.label)) }
      end

      def row(name, label) = rows(name).find { |row| row.label == label }

      # @return [Row] the first row of frugal, with which the others are compared
      def ours(name) = rows(name).first

      # @param name [String, nil] of a case; nil: all
      # @return [Array<Bench::Goal>]
      def goals(name = nil)
        return names.flat_map { |one| goals(one) } unless name

        TIMES.select { |subject,| subject == name }.map { |goal| time_goal(*goal) } + link_goals(name)
      end

      # @return [Hash] for the JSON; times are seconds
      def to_h
        cases = names.to_h do |name|
          rivals = rows(name).map do |row|
            times = row.series.times.map { |time| time&.round(7) }
            { rival: row.label, paths: row.paths, wall: times, dies: row.death }.compact
          end
          [name, { title: title(name), rivals: rivals }]
        end
        { cases: cases, targets: goals.map(&:to_h) }
      end

      private

      def time_goal(name, ours, theirs, bound)
        value = times(row(name, theirs), row(name, ours))
        Bench::Goal.new(subject: name, text: "#{theirs} / #{ours}", sense: :at_least, bound: bound, value: value,
                        judged: !@quick)
      end

      # @return [Float, nil] whole ÷ part
      def times(whole, part) = (part.series.against(whole.series)&.median if whole && part)

      def link_goals(name)
        case name
        when "directory-links" then LINKS_TO_PLAIN.map { |label, bound| links_to_plain(label, bound) }
        when "mesh" then [fewer_paths]
        else []
        end
      end

      def links_to_plain(label, bound)
        value = times(row("directory-links", label), row("plain", label))
        Bench::Goal.new(subject: "directory-links", text: "#{label}, this / the plain tree", sense: :at_most,
                        bound: bound, value: value, judged: !@quick)
      end

      def fewer_paths
        theirs, ours = ["find -L", "frugal, :once"].map { |label| row("mesh", label)&.paths }
        value = theirs.fdiv(ours) if theirs && ours
        Bench::Goal.new(subject: "mesh", text: "paths of find -L / frugal, :once", sense: :at_least,
                        bound: FEWER_PATHS, value: value, judged: !@quick)
      end
    end
  end
end
