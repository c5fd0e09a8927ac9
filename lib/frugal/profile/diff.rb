# frozen_string_literal: true

require "json"
require_relative "../error"
require_relative "finding"

module Frugal
  module Profile
    # The changes from one run to another, by method, from two JSON reports (version 2). Lines that moved, because a
    # file was edited above them, are no change.
    #
    #   diff = Frugal::Profile::Diff.of(File.read("before.json"), File.read("after.json"))
    #   diff.calls.first.to_a   # => ["/app/tasks.rb", "compile", 22, "stat", 4500, 0]
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
        reports = [before, after].zip(names).map { |text, name| parse(text, name) }
        compared(*reports) || raise(UsageError, "#{damaged(reports, names)}: is a damaged report")
      end

      # @return [Diff, nil] with all that it compares; nil if a report lacks a part of it
      def self.compared(before, after)
        commands = [before, after].map { |report| report["command"] || report["command_base64"] }
        return unless commands.all? { |command| command.is_a?(Array) && command.all?(String) }

        new(before, after).tap { |diff| [diff.counts, diff.calls, diff.exceptions, diff.findings] }
      rescue NoMethodError, KeyError, TypeError, ArgumentError
        nil
      end
      private_class_method :compared

      def self.damaged(reports, names) = names[reports.index { |report| !compared(report, report) } || 0]
      private_class_method :damaged

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

      # @return [Array<Change>] by method and function, such as "stat" or "stat (ENOENT)"; the largest change first
      def calls = @calls ||= changes("calls", :call_name)

      # @return [Array<Change>] by method and class
      def exceptions = @exceptions ||= changes("exceptions", :class_name)

      # @return [Array<Change>] by method and kind; without the freshness checks, and what one of the runs ignores
      def findings
        @findings ||= changes("findings", :kind).reject do |change|
          ignored.include?([change.file, change.method, change.name])
        end
      end

      private

      def ignored
        @ignored ||= [@before, @after].flat_map { |report| Rows.ignored(report.fetch("findings")) }
      end

      def changes(table, name)
        before, after = [@before, @after].map { |report| Rows.totals(report.fetch(table), name) }
        changes = (before.keys | after.keys).map do |key|
          file, method, found = key
          counts = [before, after].map { |totals| totals.key?(key) ? totals[key].count : 0 }
          Change.new(file, method, (after[key] || before[key]).line, found, *counts)
        end
        changes.reject(&:none?).sort_by.with_index { |change, index| [-change.difference.abs, index] }
      end
    end
  end
end

require_relative "diff/change"
require_relative "diff/rows"
