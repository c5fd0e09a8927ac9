# frozen_string_literal: true

require_relative "idioms"
require_relative "../support/clock"
require_relative "../support/deep"
require_relative "../support/series"

module Frugal
  module ErrorsBench
    # Measures raising alone at several stack depths: processor time of one exception in
    # this process, which is rescued where it was raised.
    class Raising
      DEPTHS = [0, 50, 200].freeze
      SLICE = { false => 0.02, true => 0.0005 }.freeze # seconds of each round, by quick
      MAX_COUNT = 50_000 # exceptions in a round

      LABELS = {
        raised: "raise K, message", without_trace: "raise K, message, []", thrown: "throw",
        with_backtrace: "raise, and its backtrace", raised_again: "raise, rescue, raise again",
        opened: "File.open, ENOENT", no_method_message: "NoMethodError#message",
        halt: "Frugal.halt", signal: "Frugal.signal"
      }.freeze

      # @param quick [Boolean]
      def initialize(quick:)
        @slice = SLICE.fetch(quick)
        @series = LABELS.keys.product(DEPTHS).to_h do |idiom, depth|
          [[idiom, depth], Bench::Series.new]
        end
        @counts = {}
      end

      # Runs one round. The first round also finds out how many exceptions fit into a round.
      #
      # @param round [Integer]
      # @return [void]
      def run(round)
        keys = @series.keys
        (round.even? ? keys : keys.reverse).each { |key| @series[key][round] = time(*key) }
      end

      # @return [Array<Array(String, Array<Float>)>] label, and seconds by depth
      def medians = LABELS.map { |idiom, label| [label, DEPTHS.map { |depth| @series[[idiom, depth]].median }] }

      # @return [Array<Hash>] for the JSON
      def to_a
        @series.map do |(idiom, depth), series|
          { way: LABELS.fetch(idiom), depth: depth, seconds: series.rounded(10) }
        end
      end

      # @return [Integer] the stack frames of this benchmark at depth 0
      def self.own_frames = Thread.new { Bench.deep(0) { caller(0).size } }.value

      private

      def time(idiom, depth)
        count = @counts[[idiom, depth]] ||= calibrate(idiom, depth)
        GC.start
        seconds(idiom, depth, count) / count
      end

      def calibrate(idiom, depth)
        count = 1
        count *= 2 until seconds(idiom, depth, count) > @slice / 2 || count >= MAX_COUNT
        count
      end

      # Runs in a new thread, because its stack is nearly empty.
      #
      # @return [Float] seconds of all exceptions
      def seconds(idiom, depth, count)
        Thread.new { Bench.deep(depth) { Bench::Clock.cpu_seconds { Idioms.public_send(idiom, count) } } }.value
      end
    end
  end
end
