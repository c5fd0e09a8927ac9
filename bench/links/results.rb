# frozen_string_literal: true

require_relative "cases"
require_relative "../support/results"

module Frugal
  module LinksBench
    # The measurements of one rival in one case.
    class Row < Bench::Row
      # @return [Rival]
      attr_reader :rival
      # @return [Integer, nil] the number of listed paths
      attr_accessor :paths

      def initialize(subject, rival)
        super(subject, rival.label, :time)
        @rival = rival
      end

      def to_h = { rival: label, paths: paths, wall: self[:time].rounded(7), dies: death }.compact
    end

    # The rows of each case, with ratios and targets.
    class Results < Bench::Results
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

      # @return [Row] the first row of frugal, with which the others are compared
      def ours(subject) = rows(subject).first

      private

      def goals_of(name)
        found = TIMES.select { |subject,| subject == name }.map do |_, ours, theirs, bound|
          goal(name, "#{theirs} / #{ours}", :at_least, bound, times(row(name, theirs), row(name, ours)))
        end
        case name
        when "directory-links" then found + LINKS_TO_PLAIN.map { |label, bound| links_to_plain(name, label, bound) }
        when "mesh" then found + [fewer_paths(name)]
        else found
        end
      end

      def links_to_plain(name, label, bound)
        goal(name, "#{label}, this / the plain tree", :at_most, bound, times(row(name, label), row("plain", label)))
      end

      def fewer_paths(name)
        theirs, ours = ["find -L", "frugal, :once"].map { |label| row(name, label)&.paths }
        goal(name, "paths of find -L / frugal, :once", :at_least, FEWER_PATHS, (theirs.fdiv(ours) if theirs && ours))
      end

      def content = by_case
    end
  end
end
