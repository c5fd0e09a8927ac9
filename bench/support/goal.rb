# frozen_string_literal: true

require_relative "../../lib/frugal/compare"

module Frugal
  module Bench
    # What a part of frugal set out to reach, and what was measured. A report says
    # whether they meet, and asserts nothing.
    #
    #   Goal.new(subject: "count", text: "fd / frugal", sense: :at_least, bound: 3.0, value: 3.2, judged: true).to_s
    #   # => "target fd / frugal ≥3.0×: 3.2× met"
    #
    # +value+ is nil where nothing could be measured; +judged+ is false for sizes
    # that no target was set for. A bound that is an Integer counts, others are
    # ratios.
    Goal = Struct.new(:subject, :text, :sense, :bound, :value, :judged, keyword_init: true) do
      # @return [String]
      def to_s
        "target #{text} #{rule}: #{"#{unit(value)} " if value}#{verdict}"
      end

      # @return [String] such as "≥3.0×"
      def rule = "#{sense == :at_least ? "≥" : "≤"}#{unit(bound)}"

      # @return [String] +met+ and +short+, or why it is neither
      def verdict
        return "not measured" unless value
        return "not judged, these are quick sizes" unless judged

        met? ? "met" : "short"
      end

      def to_h = { case: subject, target: "#{text} #{rule}", value: value&.round(4), verdict: verdict }

      private

      def met? = sense == :at_least ? value >= bound : value <= bound

      def unit(number) = bound.is_a?(Integer) ? Compare::Units.count(number) : Compare::Units.ratio(number)
    end

    class Goal
      # @param goals [Array<Goal>]
      # @return [String] for the end of a verdict
      def self.sum(goals)
        judged = goals.map(&:verdict).grep(/\A(?:met|short)\z/)
        return goals.all?(&:judged) ? "no target was measured" : "quick sizes, so no target is judged" if judged.empty?

        "#{judged.count("met")} of #{judged.size} targets met"
      end
    end
  end
end
