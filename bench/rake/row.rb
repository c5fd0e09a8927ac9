# frozen_string_literal: true

module Frugal
  module RakeBench
    # The measurements of one rival in one case. Times are seconds by round, nil for a round
    # that was skipped; `death` is the reason if the rival failed.

    Row = Struct.new(:rival, :walls, :cpus, :spent, :death, :stat_calls, :exceptions, keyword_init: true) do
      def self.for(rival) = new(rival: rival, walls: [], cpus: [], spent: 0.0)

      def label = rival.label

      def rounds = walls.compact.size

      # @param measure [Symbol] `:walls` or `:cpus`
      # @return [Float, nil] seconds
      def median(measure = :walls)
        times = self[measure].compact
        Compare::Statistics.median(times) unless times.empty?
      end

      # @param other [Row]
      # @return [Compare::Statistics::Ratio, nil] other ÷ this, from the rounds that both ran
      def against(other)
        pairs = other.walls.zip(walls).select(&:all?)
        Compare::Statistics.ratio(*pairs.transpose) unless pairs.empty?
      end
    end
  end
end
