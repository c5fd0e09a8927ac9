# frozen_string_literal: true

require_relative "../support/goal"

module Frugal
  module RakeBench
    # A target of the Rake drop-in; its `text` is what is measured. `on` is the row, `fault` why nothing was measured.
    class Goal < Bench::Goal
      SOURCE = "goals of the Rake drop-in's first release, compared with rake 13.0.6 in the same run"

      # Measure => its description after the bound.
      MEASURES = {
        speedup: "", above_boot: "above the boot of an empty Rakefile", stat_calls: "stats of the tree",
        stat_calls_per_path: "stats for each distinct path", wall: "in all",
        build: "by processor time of the build", after_boot: "by processor time after the boot",
        whole: "by processor time in all", own_unchanged: "its own time with nothing to do", exceptions: "exceptions for missing files"
      }.freeze

      # @return [String]
      attr_accessor :on
      # @return [String, nil]
      attr_accessor :fault

      # @return [String] such as "target ≥6.0×: 6.2× met (frugal, rake 13.0.6)"
      def to_s = "target #{rule}: #{"#{unit(value)} " if value}#{verdict} (#{on})"

      # @return [String] such as "≥6.0×"
      def rule = "#{super} #{MEASURES.fetch(text)}".rstrip

      def verdict = fault || super

      def to_h = { case: subject, on: on, target: rule, value: value&.round(4), verdict: verdict }

      private

      def unit(number)
        case text
        when :wall then Readable.seconds(number)
        when :stat_calls_per_path then format("%.2f", number)
        else super
        end
      end
    end

    # Case, measure, sense of the bound, bound, whether it is about the drop-in under JRuby, compared with the same Rake
    # there.
    TARGETS = [
      ["p50000", :speedup, :at_least, 6.0],
      ["p50000", :stat_calls, :at_most, 101_000],
      ["dirty", :speedup, :at_least, 3.5],
      ["dirty", :own_unchanged, :at_most, 2.0],
      ["clean", :exceptions, :at_most, 0],
      ["dag", :above_boot, :at_least, 100.0],
      ["dag", :speedup, :at_least, 65.0],
      ["dag", :stat_calls_per_path, :at_most, 1.05],
      ["chain", :wall, :at_most, 2.0],
      ["chain-clean", :wall, :at_most, 2.0],
      ["pathmap", :speedup, :at_least, 4.0],
      ["ext", :speedup, :at_least, 4.0],
      ["names", :speedup, :at_least, 4.0],
      ["patterns", :speedup, :at_least, 3.0],
      ["glob", :speedup, :at_least, 1.3],
      ["p50000", :build, :at_least, 8.0, true],
      ["p50000", :after_boot, :at_least, 3.0, true],
      ["p50000", :whole, :at_least, 1.6, true],
      ["p50000", :stat_calls, :at_most, 101_000, true],
      ["dag", :build, :at_least, 150.0, true],
      ["dag", :whole, :at_least, 5.0, true]
    ].freeze
  end
end
