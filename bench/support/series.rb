# frozen_string_literal: true

require_relative "../../lib/frugal/compare"

module Frugal
  module Bench
    # The times of one rival in one case: seconds by round, nil for a round that was skipped.
    class Series
      attr_reader :label, :times

      # @param label [String]
      def initialize(label)
        @label = label
        @times = []
      end

      # @return [Float, nil] seconds
      def median
        measured = times.compact
        Compare::Statistics.median(measured) unless measured.empty?
      end

      # @param other [Series] measured in the same rounds
      # @return [Compare::Statistics::Ratio, nil] other ÷ this, from the rounds that both ran
      def against(other)
        pairs = other.times.zip(times).select(&:all?)
        Compare::Statistics.ratio(*pairs.transpose) unless pairs.empty?
      end
    end
  end
end
