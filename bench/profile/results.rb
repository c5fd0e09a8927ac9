# frozen_string_literal: true

require_relative "cases"
require_relative "../support/results"

module Frugal
  module ProfileBench
    # The samples of a program by round: hashes of side → [CPU, wall] in seconds.
    class Row < Bench::Row
      # @param one [Case]
      def initialize(one)
        super(one, one.title)
        @samples = []
      end

      # @param samples [Hash{Symbol, String => Compare::Sample, nil}]
      def add(samples) = @samples << samples.compact.transform_values { |sample| [sample.cpu, sample.wall] }

      # @param part [Integer] 0: CPU, 1: wall
      # @return [Float, nil] seconds
      def median(side, part) = median_of(@samples.filter_map { |round| round[side]&.at(part) })

      def to_h = { rounds: @samples }

      private

      def median_of(values) = (Compare::Statistics.median(values) unless values.empty?)
    end

    # A program plain, with the recorder, and under strace.
    class Overhead < Row
      # @return [Float, nil] the median of the ratios to the plain run of the same round
      def ratio(side, part)
        median_of(@samples.filter_map { |round| round[side] && (round[side][part] / round[:plain][part]) })
      end
    end

    # A program before and after a change, and what the findings of both predicted.
    class Prediction < Row
      # @param one [Case]
      def initialize(one)
        super
        @predictions = []
        @superfluous = []
      end

      # @param sides [Array<Array<Profile::Finding>>] of the stock program, and of the changed one
      def predict(*sides)
        @predictions << sides.map { |findings| findings.sum(0.0, &:saved_us) }.reduce(:-)
        @superfluous << sides.map { |findings| findings.sum(&:count) }
      end

      # @return [Float] seconds
      def predicted = median_of(@predictions) / 1_000_000.0

      # @return [Float] seconds: the median of the differences by round
      def measured(part) = median_of(@samples.map { |round| round["stock"][part] - round["changed"][part] })

      # @return [Array<Float>] seconds: the range of that median
      def range = Compare::Statistics.interval(@samples.map { |round| round["stock"].first - round["changed"].first })

      # @return [Float] 0.1 if 10 % more was predicted than was measured
      def error = predicted / measured(0) - 1

      def to_h = { **super, predictions_us: @predictions, superfluous: @superfluous }
    end

    # The rows of all cases, and whether they meet the targets.
    class Results < Bench::Results
      PREDICTED = 0.2 # at most so far from what was measured
      MANY = 6 # programs
      REPORT = 1000 # ms
      private_constant :PREDICTED, :MANY, :REPORT

      # @return [MeasuredReport, nil]
      attr_accessor :report

      # @return [Array<Overhead>]
      def overheads = rows.grep(Overhead)

      # @return [Array<Prediction>]
      def predictions = rows.grep(Prediction)

      # @return [Integer] how many predictions are within the target
      def good = predictions.count { |row| row.error.abs <= PREDICTED }

      # @return [Array<Bench::Goal>]
      def goals
        found = overheads.map do |row|
          goal(row.subject.name, "CPU with the recorder", :at_most, row.subject.bound, row.ratio(:recorder, 0))
        end
        found << goal(Cases::REPORT, "ms per 100,000 calls", :at_most, REPORT, report.milliseconds.round) if report
        found << goal("predictions", "programs within ±20 %", :at_least, MANY, good) if predictions.any?
        found
      end

      # @return [Hash] for the JSON
      def to_h
        { overheads: by_name(overheads), report: report&.to_h, predictions: by_name(predictions),
          targets: goals.map(&:to_h) }
      end

      private

      def by_name(rows) = rows.to_h { |row| [row.subject.name, row.to_h] }
    end
  end
end
