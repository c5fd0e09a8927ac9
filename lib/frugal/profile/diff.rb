# frozen_string_literal: true

require "json"
require_relative "../error"
require_relative "finding"

module Frugal
  module Profile
    # The changes from one run to another, by line of Ruby, from two JSON reports (version 2).
    #
    #   diff = Frugal::Profile::Diff.of(File.read("before.json"), File.read("after.json"))
    #   diff.calls.first.to_a   # => ["/app/tasks.rb", 22, "stat", 4500, 0]
    #
    # If lines of a file moved because the file was edited above them, the lines of the first run get their new numbers.
    class Diff
      VERSION = 2

      # *Cost*: about 5 µs for each row of the reports.
      #
      # @param before [String] a report of `frugal profile --json`
      # @param after [String] the report of the other run
      # @param names [Array<String>] the names of both reports, for errors
      # @return [Diff]
      # @raise [UsageError] if one of them is not such a report
      def self.of(before, after, names: ["the first file", "the second file"])
        new(parse(before, names.first), parse(after, names.last))
      end

      def self.parse(text, name)
        document = ::JSON.parse(text)
        version = document["version"] if document.is_a?(Hash) && document.key?("findings")
        raise UsageError, "#{name}: is not a report of `frugal profile --json`" unless version
        return document if version == VERSION

        raise UsageError, "#{name}: has version #{version} of the format, and this frugal reads version #{VERSION}"
      rescue ::JSON::ParserError, EncodingError
        raise UsageError, "#{name}: is not JSON"
      end
      private_class_method :parse

      # @return [Hash] the parsed reports
      attr_reader :before, :after

      # @param before [Hash] a parsed report
      # @param after [Hash]
      def initialize(before, after)
        @before = before
        @after = after
      end

      # @return [Hash{Symbol => Array(Integer, Integer)}] the number of each kind, before and after
      def counts
        %i[calls stats opens reads writes exceptions].to_h do |name|
          [name, [@before, @after].map { |report| report.fetch("counts").fetch(name.to_s) }]
        end
      end

      # @return [Array<Change>] by line and function, such as "stat" or "stat (ENOENT)"; the largest change first
      def calls = @calls ||= changes("calls", :call_name)

      # @return [Array<Change>] by line and class
      def exceptions = @exceptions ||= changes("exceptions", :class_name)

      # @return [Array<Change>] by line and kind; without the freshness checks
      def findings = @findings ||= changes("findings", :kind)

      private

      def changes(table, name)
        before = renumbered(Rows.totals(@before.fetch(table), name))
        after = Rows.totals(@after.fetch(table), name)
        changes = (before.keys | after.keys).map { |key| Change.new(*key, before.fetch(key, 0), after.fetch(key, 0)) }
        changes.reject(&:none?).sort_by.with_index { |change, index| [-change.difference.abs, index] }
      end

      def renumbered(totals)
        totals.each_with_object(Hash.new(0)) do |((file, line, name), count), renumbered|
          line = line_maps[file][line] if line_maps.key?(file)
          renumbered[[file, line, name]] += count
        end
      end

      # @return [Hash{String => LineMap}] by file, for the files in both reports
      def line_maps
        @line_maps ||= begin
          before, after = [@before, @after].map { |report| Rows.by_file(report) }
          (before.keys & after.keys).to_h { |file| [file, LineMap.new(before[file], after[file])] }
        end
      end
    end
  end
end

require_relative "diff/change"
require_relative "diff/line_map"
require_relative "diff/rows"
