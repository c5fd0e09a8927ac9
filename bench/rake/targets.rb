# frozen_string_literal: true

module Frugal
  module RakeBench
    # `jruby` is true for a target of the drop-in under JRuby, compared with the same Rake there.
    Target = Struct.new(:subject, :measure, :goal, :bound, :jruby) do
      # @return [String] such as "≥6×"
      def to_s
        "#{goal == :at_least ? "≥" : "≤"}#{Target.unit(measure, bound)} #{Target::MEASURES.fetch(measure)}".rstrip
      end

      def met?(value) = goal == :at_least ? value >= bound : value <= bound
    end

    # A target of the Rake drop-in. A report shows whether it is met; a missed target is not
    # an error.
    class Target
      SOURCE = "goals of the Rake drop-in's first release, compared with rake 13.0.6 in the same run"

      # Measure => its description after the bound.
      MEASURES = {
        speedup: "", above_boot: "above the boot of an empty Rakefile", stat_calls: "stats of the tree",
        stat_calls_per_path: "stats for each distinct path", wall: "in all",
        build: "by processor time of the build", after_boot: "by processor time after the boot",
        whole: "by processor time in all", own_unchanged: "its own time with nothing to do", exceptions: "exceptions for missing files"
      }.freeze

      ALL = [
        new("p50000",      :speedup, :at_least, 6.0),
        new("p50000",      :stat_calls, :at_most, 101_000),
        new("dirty",       :speedup,       :at_least, 3.5),
        new("dirty",       :own_unchanged, :at_most,  2.0),
        new("clean",       :exceptions,    :at_most,  0),
        new("dag",         :above_boot,    :at_least, 100.0),
        new("dag",         :speedup,       :at_least, 65.0),
        new("dag",         :stat_calls_per_path, :at_most, 1.05),
        new("chain",       :wall,          :at_most,  2.0),
        new("chain-clean", :wall,          :at_most,  2.0),
        new("pathmap",     :speedup,       :at_least, 4.0),
        new("ext",         :speedup,       :at_least, 4.0),
        new("names",       :speedup,       :at_least, 4.0),
        new("patterns",    :speedup,       :at_least, 3.0),
        new("glob",        :speedup,       :at_least, 1.3),
        new("p50000",      :build,         :at_least, 8.0, true),
        new("p50000",      :after_boot,    :at_least, 3.0, true),
        new("p50000",      :whole,         :at_least, 1.6, true),
        new("p50000",      :stat_calls,    :at_most, 101_000, true),
        new("dag",         :build,         :at_least, 150.0, true),
        new("dag",         :whole,         :at_least, 5.0, true)
      ].freeze

      # @return [String] the value with the unit of the measure
      def self.unit(measure, value)
        case measure
        when :wall then Readable.seconds(value)
        when :stat_calls, :exceptions then Readable.count(value)
        when :stat_calls_per_path then format("%.2f", value)
        else Readable.ratio(value)
        end
      end
    end
  end
end
