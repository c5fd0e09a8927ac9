# frozen_string_literal: true

require_relative "cases"
require_relative "../support/results"

module Frugal
  module WaitsBench
    # The {Storm::Result} of a case, and the value that its place had in the end.
    class Row < Bench::Row
      # @return [Storm::Result]
      attr_reader :storm

      def initialize(one, storm, value)
        super(one, one.title)
        @storm = storm
        @value = value
      end

      # @return [Array(Integer, Integer)] turns of the process that had the fewest, and the most
      def spread = storm.by_thread.values.minmax

      # @return [Integer] changes that were answered, and are not there
      def lost = storm.turns.size - @value

      # @return [Float]
      def longest_by_fair = storm.longest / storm.fair

      # @return [Integer] how many turns others had during one wait, at most
      def overtaken = storm.turns.map(&:others).max

      def to_h
        { processes: subject.processes, hold: subject.hold, seconds: storm.seconds, turns: storm.by_thread,
          waits: storm.turns.map(&:seconds), overtaken: overtaken, lost: lost, events: storm.events }
      end
    end

    # The rows of all cases, and whether they meet the targets.
    class Results < Bench::Results
      # Text, maximum, value of a row.
      GOALS = [
        ["changes lost", 0, :lost.to_proc],
        ["longest wait / fair wait", 3.0, :longest_by_fair.to_proc],
        # 1.25 ÷ 0.75: turns should be within 25 %
        ["most turns / fewest turns", 1.67, ->(row) { row.spread.last.fdiv(row.spread.first) }]
      ].freeze
      READS = ["99 % of reads, FrugalStore / FileStore", 1.0].freeze
      private_constant :GOALS, :READS

      # @return [Reads::Result, nil]
      attr_accessor :reads

      # @return [Array<Bench::Goal>]
      def goals
        found = rows.product(GOALS).map do |row, (text, bound, value)|
          goal(row.subject.name, text, :at_most, bound, value.call(row))
        end
        found << goal(Reads::NAME, READS[0], :at_most, READS[1], reads.slowest_ratio) if reads
        found
      end

      private

      def content = { cases: rows.to_h { |row| [row.subject.name, row.to_h] }, reads: reads&.to_h }
    end
  end
end
