# frozen_string_literal: true

require_relative "../../lib/frugal/compare"

module Frugal
  module Bench
    # The samples of one rival in one case, most of them seconds: one for each round, nil for a round that was skipped.
    class Series
      # @return [Array<Float, nil>]
      attr_reader :times

      def initialize
        @times = []
      end

      # @param round [Integer]
      def []=(round, time)
        @times[round] = time
      end

      # @return [Array<Float>] without the rounds that were skipped
      def measured = times.compact

      # @return [Float, nil]
      def median = (Compare::Statistics.median(measured) if measured.any?)

      # @param other [Series] measured in the same rounds
      # @return [Compare::Statistics::Ratio, nil] other ÷ this, from the rounds that both ran
      def against(other)
        pairs = other.times.zip(times).select(&:all?)
        Compare::Statistics.ratio(*pairs.transpose) unless pairs.empty?
      end

      # @return [Array<Float, nil>] for the JSON
      def rounded(digits) = times.map { |time| time&.round(digits) }
    end
  end
end
