# frozen_string_literal: true

module Frugal
  module RakeBench
    # What one rival did with one case. Times are seconds by round, nil where it
    # sat one out; +death+ says how it failed, if it did.
    Row = Struct.new(:rival, :walls, :cpus, :spent, :death, :asks, :exceptions, keyword_init: true) do
      def self.for(rival) = new(rival: rival, walls: [], cpus: [], spent: 0.0)

      def label = rival.label

      def rounds = walls.compact.size

      # @param measure [Symbol] +:walls+ or +:cpus+
      # @return [Float, nil] seconds
      def median(measure = :walls)
        times = self[measure].compact
        Compare::Statistics.median(times) unless times.empty?
      end

      # @param other [Row]
      # @return [Compare::Statistics::Ratio, nil] how often this fits into +other+, by rounds that both ran
      def against(other)
        pairs = other.walls.zip(walls).select(&:all?)
        Compare::Statistics.ratio(*pairs.transpose) unless pairs.empty?
      end
    end
  end
end
