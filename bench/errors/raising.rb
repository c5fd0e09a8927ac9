# frozen_string_literal: true

require_relative "idioms"
require_relative "../support/clock"
require_relative "../support/deep"
require_relative "../support/series"

module Frugal
  module ErrorsBench
    # What it costs to raise, so many frames deep: seconds of processor time of one,
    # in this process, rescued where it was raised.
    class Raising
      DEPTHS = [0, 50, 200].freeze
      SLICE = { false => 0.02, true => 0.0005 }.freeze # seconds of each round, by quick
      MOST = 50_000 # in a round

      LABELS = {
        raised: "raise K, message", without_trace: "raise K, message, []", thrown: "throw", with_backtrace: "raise, and its backtrace",
        raised_again: "raise, rescue, raise again", opened: "File.open, ENOENT", no_method_message: "NoMethodError#message",
        halt: "Frugal.halt", signal: "Frugal.signal"
      }.freeze

      # @param quick [Boolean]
      def initialize(quick:)
        @slice = SLICE.fetch(quick)
        @series = LABELS.keys.product(DEPTHS).to_h { |idiom, depth| [[idiom, depth], Bench::Series.new(LABELS.fetch(idiom))] }
        @counts = {}
      end

      # One round; the first one finds out how many fit into it, too.
      #
      # @param round [Integer]
      # @return [void]
      def run(round)
        keys = @series.keys
        (round.even? ? keys : keys.reverse).each { |key| @series[key].times[round] = time(*key) }
      end

      # @return [Array<Array(String, Array<Float>)>] label, and seconds by depth
      def medians = LABELS.map { |idiom, label| [label, DEPTHS.map { |depth| @series[[idiom, depth]].median }] }

      # @return [Array<Hash>] for programs
      def to_a
        @series.map { |(idiom, depth), series| { way: LABELS.fetch(idiom), depth: depth, seconds: series.times.map { |time| time.round(10) } } }
      end

      # @return [Integer] frames that are there at depth 0, this benchmark's own
      def self.own_frames = Thread.new { Bench.deep(0) { caller(0).size } }.value

      private

      def time(idiom, depth)
        count = @counts[[idiom, depth]] ||= calibrate(idiom, depth)
        GC.start
        seconds(idiom, depth, count) / count
      end

      def calibrate(idiom, depth)
        count = 1
        count *= 2 until seconds(idiom, depth, count) > @slice / 2 || count >= MOST
        count
      end

      # In a thread, whose stack is all but empty.
      #
      # @return [Float] of all
      def seconds(idiom, depth, count)
        Thread.new { Bench.deep(depth) { Bench::Clock.cpu_seconds { Idioms.public_send(idiom, count) } } }.value
      end
    end
  end
end
