# frozen_string_literal: true

module Frugal
  module RakeBench
    # The measurements of one rival in one case. Times are seconds by round, nil for a round
    # that was skipped; `phases` are {Phases} by round, nil where they are not known; `death` is the
    # reason if the rival failed.
    Row = Struct.new(:rival, :walls, :cpus, :phases, :spent, :death, :stat_calls, :exceptions, keyword_init: true) do
      def self.for(rival) = new(rival: rival, walls: [], cpus: [], phases: [], spent: 0.0)

      def label = rival.label

      def rounds = walls.compact.size

      # @param measure [Symbol] `:walls` or `:cpus`
      # @return [Float, nil] seconds
      def median(measure = :walls) = middle(self[measure])

      # @param phase [Symbol] a method of {Phases}
      # @return [Float, nil] processor seconds
      def median_of(phase) = middle(processor(phase))

      # @param phase [Symbol] a method of {Phases}
      # @return [Array<Float, nil>] processor seconds by round
      def processor(phase) = phases.map { |round| round&.public_send(phase) }

      # @param other [Row]
      # @return [Compare::Statistics::Ratio, nil] other ÷ this, from the rounds that both ran
      def against(other) = ratio(other.walls, walls)

      # @param phase [Symbol] a method of {Phases}
      # @return [Compare::Statistics::Ratio, nil] other ÷ this, of the processor time of that phase
      def phase_against(other, phase) = ratio(other.processor(phase), processor(phase))

      private

      def middle(times) = times.any? ? Compare::Statistics.median(times.compact) : nil

      def ratio(before, after)
        pairs = before.zip(after).select(&:all?)
        Compare::Statistics.ratio(*pairs.transpose) unless pairs.empty?
      end
    end
  end
end
