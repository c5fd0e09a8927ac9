# frozen_string_literal: true

require_relative "results"
require_relative "../support/duration"
require_relative "../support/markdown"
require_relative "../support/plot"

module Frugal
  module PStoreBench
    # The tables and plots of growing stores.
    class GrowthReport
      NONE = "–"
      # Plot => action => the text that the name of its line has after the name of the rival.
      PLOTS = { "read" => { "read" => ", warm", "new" => ", new object", "cold" => ", cold" },
                "change" => { "change" => "", "resize" => ", other size" } }.freeze

      # @param results [Results]
      def initialize(results)
        @results = results
      end

      # A table with a row for each rival and size and a column for each action. The cells of
      # frugal also have the ratio stock ÷ frugal.
      #
      # @param name [String] of a case
      # @return [String] Markdown
      def section(name)
        subjects = @results.of(name)
        header = ["", *Cases::ACTIONS.values, "rounds"]
        rows = subjects.group_by(&:roots).flat_map do |roots, same|
          labels(same).map { |label| cells(roots, label, same) }
        end
        ["## #{name}: #{subjects.first.title}", "", *Bench::Markdown.table([header, *rows]), "",
         *@results.goals(name).map { |goal| "- #{goal}" }].join("\n").rstrip
      end

      # @return [Array<Bench::Plot>] two for each case: the cost of reading, and the cost of changing
      def plots
        @results.names.select { |name| @results.of(name).first.growth? }.product(PLOTS.keys).map do |name, verb|
          Bench::Plot.new("#{name}: #{verb} one root", "roots of the store", lines(name, PLOTS[verb])) do |seconds|
            Bench::Duration.readable(seconds).sub(/\.0+(?= )/, "")
          end
        end
      end

      private

      def labels(subjects) = subjects.flat_map { |subject| @results.rows(subject).map(&:label) }.uniq

      def cells(roots, label, subjects)
        by_action = subjects.to_h { |subject| [subject.action, @results.row(subject, label)] }
        found = by_action.values_at(*Cases::ACTIONS.keys)
        rounds = found.compact.map(&:rounds).minmax.uniq
        ["#{Readable.count(roots)}: #{label}", *found.map { |row| row ? cell(row) : NONE }, rounds.join("–")]
      end

      def cell(row)
        return "dies: #{row.death}" if row.death

        stock = @results.stock(row.subject)
        ratio = @results.times(stock, row) unless row.equal?(stock)
        [Bench::Duration.readable(row.median), *(Readable.ratio(ratio) if ratio)].join(", ")
      end

      def lines(name, actions)
        rows = @results.of(name).flat_map { |subject| @results.rows(subject) }
                       .select { |row| actions.key?(row.subject.action) && row.median }
        rows.group_by { |row| "#{row.label}#{actions[row.subject.action]}" }
            .map { |line, found| [line, found.map { |row| [row.subject.roots, row.median] }] }
      end
    end
  end
end
