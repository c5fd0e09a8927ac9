# frozen_string_literal: true

require_relative "../../lib/frugal/compare"

module Frugal
  module Bench
    Goal = Struct.new(:subject, :text, :sense, :bound, :value, :judged, keyword_init: true) do
      # @return [String]
      def to_s
        "target #{text} #{rule}: #{"#{unit(value)} " if value}#{verdict}"
      end

      # @return [String] such as "≥3.0×"
      def rule = "#{sense == :at_least ? "≥" : "≤"}#{unit(bound)}"

      # @return [String] `met` or `short`, or why the target is not judged
      def verdict
        return "not measured" unless value
        return "not judged (quick sizes)" unless judged

        met? ? "met" : "short"
      end

      def to_h = { case: subject, target: "#{text} #{rule}", value: value&.round(4), verdict: verdict }

      private

      def met? = sense == :at_least ? value >= bound : value <= bound

      def unit(number) = bound.is_a?(Integer) ? Readable.count(number) : Readable.ratio(number)
    end

    # A target of frugal and the measured value. A report shows whether the target is met;
    # a missed target is not an error.
    #
    #   Goal.new(subject: "count", text: "fd / frugal", sense: :at_least, bound: 3.0, value: 3.2, judged: true).to_s
    #   # => "target fd / frugal ≥3.0×: 3.2× met"
    #
    # `value` is nil if nothing could be measured. `judged` is false for the sizes of
    # --quick, for which there are no targets. An Integer bound is a count, any other
    # bound is a ratio.
    class Goal
      # @param goals [Array<Goal>]
      # @return [String] a summary for the first line of a report
      def self.sum(goals)
        judged = goals.map(&:verdict).grep(/\A(?:met|short)\b/)
        return goals.all?(&:judged) ? "no target was measured" : "no target is judged (quick sizes)" if judged.empty?

        "#{judged.count("met")} of #{judged.size} targets met"
      end
    end
  end
end
