# frozen_string_literal: true

require_relative "targets"
require_relative "../support/results"

module Frugal
  module ProbesBench
    # Times by question, presence, temperature and idiom, under one Ruby; costs, ratios and targets.
    class Results < Bench::Results
      # A temperature is the stack depth of a warm run, or `:cold`.
      DEPTHS = Targets::DEPTHS
      TEMPERATURES = [*DEPTHS, :cold].freeze
      PROBE = ProbeIdiom::LABEL

      # @return [Integer] number of questions in one run
      attr_reader :size
      # @return [String, nil] such as "jruby 9.4.15.0"; nil for MRI
      attr_reader :jruby
      # @return [Array<String>] labels of the idioms
      attr_reader :idioms
      # @return [Hash] {Bench::Cost} by question, presence, idiom
      attr_accessor :costs
      # @return [Float, nil] milliseconds that `require "frugal"` takes, more than for an empty file
      attr_accessor :require_time
      # @return [Results, nil] those of the same questions under JRuby
      attr_accessor :others

      # @param size [Integer]
      # @param quick [Boolean] whether the sizes are those of --quick, for which there are no targets
      # @param idioms [Array<String>]
      # @param jruby [String, nil]
      def initialize(size, quick:, idioms: IDIOMS.map { |idiom| idiom::LABEL }, jruby: nil)
        super(quick: quick)
        @size = size
        @idioms = idioms
        @jruby = jruby
        @series = {}
        @costs = {}
      end

      # @return [Bench::Series] seconds of one question
      def series(question, presence, temperature, idiom)
        @series[[question, presence, temperature, idiom]] ||= Bench::Series.new
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
        return [*QUESTIONS.keys.flat_map { |one| goals(one) }, *require_goals, *others&.goals] unless question

        targets(question).map { |target| time_goal(question, target) } + count_goals(question)
      end

      # @return [Array<Bench::Goal>]
      def require_goals
        require_time ? [goal(:require, "ms more than for an empty file", :at_most, Targets::REQUIRE, require_time.round)] : []
      end

      private

      def content
        { questions: size, times: times_of_all, costs: cost_list, require_ms: require_time&.round(1),
          jruby: others&.to_h }
      end

      def times_of_all
        measured = @series.reject { |_, series| series.median.nil? }
        measured.map { |key, series| name(key).merge(seconds: series.rounded(10)) }
      end

      def cost_list
        costs.map do |(question, presence, idiom), cost|
          name([question, presence, nil, idiom]).merge(calls: cost.calls, exceptions: cost.exceptions)
        end
      end

      def name(key) = %i[question presence temperature idiom].zip(key).to_h.compact

      def targets(question) = jruby ? Targets.of_jruby(question, jruby) : Targets.of_mri(question)

      def time_goal(question, target)
        ratio = ratio(question, target.presence, target.depth, target.idiom)
        compared = "probe / #{target.idiom}"
        ratio, compared = ratio && (1 / ratio), "#{target.idiom} / probe" if target.sense == :at_least
        goal(question, "#{target.presence}, #{target.depth} frames deep, #{compared}", target.sense, target.bound, ratio)
      end

      def count_goals(question)
        PRESENCE.flat_map do |presence|
          cost = cost(question, presence, PROBE)
          calls = presence == :present ? Targets::JAVA_CALLS.fetch(question) : 1
          [goal(question, "#{presence}, exceptions of a probe", :at_most, 0, cost&.exceptions),
           *([goal(question, "#{presence}, calls of a probe", :at_most, calls, cost&.total)] if jruby)]
        end
      end

      def goal(question, ...) = super([question, jruby].compact.join(", "), ...)
    end
  end
end
