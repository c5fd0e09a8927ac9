# frozen_string_literal: true

require_relative "../../lib/frugal/compare"

module Frugal
  module Bench
    # The times of one rival in one case: seconds by round, nil where it sat one
    # out.
    class Series
      attr_reader :label, :times

      # @param label [String]
      def initialize(label)
        @label = label
        @times = []
      end

      # @return [Float, nil] seconds
      def median
        known = times.compact
        Compare::Statistics.median(known) unless known.empty?
      end

      # @param other [Series] measured in the same rounds
      # @return [Compare::Statistics::Ratio, nil] how often this fits into +other+, by rounds that both ran
      def against(other)
        pairs = other.times.zip(times).select(&:all?)
        Compare::Statistics.ratio(*pairs.transpose) unless pairs.empty?
      end
    end
  end
end
