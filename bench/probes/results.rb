# frozen_string_literal: true

require_relative "idioms"
require_relative "../support/goal"
require_relative "../support/series"

module Frugal
  module ProbesBench
    # Times by question, presence, temperature, idiom; bills; and what follows.
    class Results
      # A temperature is the depth of the stack of a warm run, or +:cold+.
      DEPTHS = [0, 100, 300].freeze
      TEMPERATURES = [*DEPTHS, :cold].freeze
      PROBE = ProbeIdiom::LABEL
      # What a probe set out for: against this idiom, at most so much of its time.
      BOUNDS = { present: [ExceptionIdiom::LABEL, 0.85], missing: [StatIdiom::LABEL, 1.2] }.freeze

      # @return [Integer] questions in one run
      attr_reader :size
      # @return [Hash] {Bench::Bill} by question, presence, idiom
      attr_accessor :bills

      # @param size [Integer]
      # @param quick [Boolean] sizes that no target was set for
      def initialize(size, quick:)
        @size = size
        @quick = quick
        @series = {}
        @bills = {}
      end

      # @return [Bench::Series] of the seconds that one question takes
      def series(question, presence, temperature, idiom)
        @series[[question, presence, temperature, idiom]] ||= Bench::Series.new(idiom)
      end

      # @return [Float, nil] seconds
      def median(...) = series(...).median

      # @return [Float, nil] the probe's time divided by another idiom's, in the same rounds
      def ratio(question, presence, temperature, idiom)
        series(question, presence, temperature, idiom).against(series(question, presence, temperature, PROBE))&.median
      end

      def bill(question, presence, idiom) = @bills[[question, presence, idiom]]

      # @return [Float, nil] seconds that a miss costs more where it is asked by
      #   +open+, as reading must, and not by +stat+
      def open_instead_of_stat
        read, mtime = %i[read mtime].map { |question| median(question, :missing, 0, PROBE) }
        read - mtime if read && mtime
      end

      # @param question [Symbol, nil] nil: all
      # @return [Array<Bench::Goal>]
      def goals(question = nil)
        return QUESTIONS.keys.flat_map { |one| goals(one) } unless question

        PRESENCE.flat_map { |presence| DEPTHS.map { |depth| time_goal(question, presence, depth) } << count_goal(question, presence) }
      end

      # @return [Hash] for programs; times are seconds of one question
      def to_h
        timed = @series.reject { |_, series| series.median.nil? }
        { questions: size, times: timed.map { |key, series| name(key).merge(seconds: series.times.map { |time| time.round(10) }) },
          costs: bills.map { |key, bill| name([key[0], key[1], nil, key[2]]).merge(calls: bill.calls, exceptions: bill.exceptions) },
          targets: goals.map(&:to_h) }
      end

      private

      def name(key) = %i[question presence temperature idiom].zip(key).to_h.compact

      def time_goal(question, presence, depth)
        idiom, bound = BOUNDS.fetch(presence)
        Bench::Goal.new(subject: question, text: "#{presence}, #{depth} frames deep, probe / #{idiom}", sense: :at_most, bound: bound,
                        value: ratio(question, presence, depth, idiom), judged: !@quick)
      end

      def count_goal(question, presence)
        Bench::Goal.new(subject: question, text: "#{presence}, exceptions of a probe", sense: :at_most, bound: 0,
                        value: bill(question, presence, PROBE)&.exceptions, judged: !@quick)
      end
    end
  end
end
