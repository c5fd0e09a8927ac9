# frozen_string_literal: true

require_relative "../support/clock"
require_relative "../support/deep"
require_relative "../support/series"
require_relative "../../lib/frugal/http"

module Frugal
  module ErrorsBench
    # What it costs to raise, so many frames deep: seconds of processor time of one,
    # in this process, rescued where it was raised.
    class Raising
      # What is raised.
      class NotFound < StandardError; end

      DEPTHS = [0, 50, 200].freeze
      MESSAGE = "there is nothing"
      MISSING = "/no/such/file"
      SLICE = { false => 0.02, true => 0.0005 }.freeze # seconds of each round, by quick
      MOST = 50_000 # in a round

      # Each does it +count+ times. The loops are written out: a call in between
      # would be measured too.
      module Idioms
        class << self
          def raised(count)
            count.times do
              raise NotFound, MESSAGE
            rescue NotFound
              nil
            end
          end

          def without_trace(count)
            count.times do
              raise NotFound, MESSAGE, []
            rescue NotFound
              nil
            end
          end

          def thrown(count) = count.times { catch(:found) { throw :found } }

          def with_backtrace(count)
            count.times do
              raise NotFound, MESSAGE
            rescue NotFound => error
              error.backtrace
            end
          end

          def raised_again(count)
            count.times do
              begin
                raise NotFound, MESSAGE
              rescue NotFound => error
                raise error
              end
            rescue NotFound
              nil
            end
          end

          def opened(count)
            count.times do
              File.open(MISSING)
            rescue Errno::ENOENT
              nil
            end
          end

          def no_method_message(count)
            count.times do
              MESSAGE.price
            rescue NoMethodError => error
              error.message
            end
          end

          def halt(count)
            count.times do
              Frugal.halt(404)
            rescue HTTPError
              nil
            end
          end

          def signal(count)
            count.times do
              Frugal.signal(NotFound, MESSAGE)
            rescue NotFound
              nil
            end
          end
        end
      end

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
