# frozen_string_literal: true

require_relative "cases"
require_relative "../support/goal"

module Frugal
  module WaitsBench
    # A case with its {Storm::Result}, and the value that its place had in the end.
    Row = Struct.new(:case, :storm, :value) do
      # @return [Array(Integer, Integer)] turns of the process that had the fewest, and the most
      def spread = storm.by_thread.values.minmax

      # @return [Integer] changes that were answered, and are not there
      def lost = storm.turns.size - value

      # @return [Float]
      def longest_by_fair = storm.longest / storm.fair

      def to_h
        { processes: self.case.processes, hold: self.case.hold, seconds: storm.seconds, turns: storm.by_thread,
          waits: storm.turns.map(&:seconds), overtaken: storm.turns.map(&:others).max, lost: lost, events: storm.events }
      end
    end

    # The rows of all cases, and whether they meet the targets.
    class Results
      LONGEST = 3.0 # times the fair wait
      SPREAD = 1.67 # 1.25 ÷ 0.75: turns should be within 25 %
      private_constant :LONGEST, :SPREAD

      # @return [Array<Row>]
      attr_reader :rows

      # @return [Reads::Result, nil]
      attr_accessor :reads

      def initialize(quick:)
        @quick = quick
        @rows = []
      end

      # @return [Array<Bench::Goal>]
      def goals
        found = rows.flat_map do |row|
          fewest, most = row.spread
          [goal(row.case.name, "changes lost", 0, row.lost), goal(row.case.name, "longest wait / fair wait", LONGEST, row.longest_by_fair),
           goal(row.case.name, "most turns / fewest turns", SPREAD, most.fdiv(fewest))]
        end
        reads ? [*found, goal(Reads::NAME, "99 % of reads, FrugalStore / FileStore", 1.0, reads.slowest_ratio)] : found
      end

      # @return [Hash] for the JSON; times are seconds
      def to_h = { cases: rows.to_h { |row| [row.case.name, row.to_h] }, reads: reads&.to_h, targets: goals.map(&:to_h) }.compact

      private

      def goal(name, text, bound, value)
        Bench::Goal.new(subject: name, text: text, sense: :at_most, bound: bound, value: value, judged: !@quick)
      end
    end
  end
end
