# frozen_string_literal: true

require_relative "idioms"
require_relative "../support/goal"
require_relative "../support/series"

module Frugal
  module ProbesBench
    # Times by question, presence, temperature and idiom; costs, ratios and targets.
    class Results
      # A temperature is the stack depth of a warm run, or `:cold`.
      DEPTHS = [0, 100, 300].freeze
      TEMPERATURES = [*DEPTHS, :cold].freeze
      PROBE = ProbeIdiom::LABEL
      # The targets: the idiom with which a probe is compared, and the maximum of probe ÷ idiom.
      BOUNDS = { present: [ExceptionIdiom::LABEL, 0.85], missing: [StatIdiom::LABEL, 1.2] }.freeze

      # @return [Integer] number of questions in one run
      attr_reader :size
      # @return [Hash] {Bench::Cost} by question, presence, idiom
      attr_accessor :costs

      # @param size [Integer]
      # @param quick [Boolean] whether the sizes are those of --quick, for which there are no targets
      def initialize(size, quick:)
        @size = size
        @quick = quick
        @series = {}
        @costs = {}
      end

      # @return [Bench::Series] seconds of one question
      def series(question, presence, temperature, idiom)
        @series[[question, presence, temperature, idiom]] ||= Bench::Series.new(idiom)
      end

      # @return [Float, nil] seconds
      def median(...) = series(...).median

      # @return [Float, nil] time of the probe ÷ time of the idiom, in the same rounds
      def ratio(question, presence, temperature, idiom)
        series(question, presence, temperature, idiom).against(series(question, presence, temperature, PROBE))&.median
      end

      def cost(question, presence, idiom) = @costs[[question, presence, idiom]]

      # @return [Float, nil] additional seconds of a miss that is found by `open`, as for
      #   reading, instead of by `stat`
      def open_instead_of_stat
        read, mtime = %i[read mtime].map { |question| median(question, :missing, 0, PROBE) }
        read - mtime if read && mtime
      end

      # @param question [Symbol, nil] nil: all
      # @return [Array<Bench::Goal>]
      def goals(question = nil)
        return QUESTIONS.keys.flat_map { |one| goals(one) } unless question

        PRESENCE.flat_map do |presence|
          [*DEPTHS.map { |depth| time_goal(question, presence, depth) }, count_goal(question, presence)]
        end
      end

      # @return [Hash] for the JSON; times are seconds of one question
      def to_h
        { questions: size, times: times, costs: cost_list, targets: goals.map(&:to_h) }
      end

      private

      def times
        measured = @series.reject { |_, series| series.median.nil? }
        measured.map { |key, series| name(key).merge(seconds: series.times.map { |time| time.round(10) }) }
      end

      def cost_list
        costs.map do |(question, presence, idiom), cost|
          name([question, presence, nil, idiom]).merge(calls: cost.calls, exceptions: cost.exceptions)
        end
      end

      def name(key) = %i[question presence temperature idiom].zip(key).to_h.compact

      def time_goal(question, presence, depth)
        idiom, bound = BOUNDS.fetch(presence)
        Bench::Goal.new(subject: question, text: "#{presence}, #{depth} frames deep, probe / #{idiom}",
                        sense: :at_most, bound: bound, value: ratio(question, presence, depth, idiom), judged: !@quick)
      end

      def count_goal(question, presence)
        Bench::Goal.new(subject: question, text: "#{presence}, exceptions of a probe", sense: :at_most, bound: 0,
                        value: cost(question, presence, PROBE)&.exceptions, judged: !@quick)
      end
    end
  end
end
