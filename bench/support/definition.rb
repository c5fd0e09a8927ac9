# frozen_string_literal: true

require_relative "../../lib/frugal/cli/arguments"
require_relative "../../lib/frugal/cli/benchmarks"
require_relative "../../lib/frugal/cli/definition"

module Frugal
  # What all benchmarks share.
  module Bench
    # Defines a benchmark as a command, with the options that all benchmarks have.
    #
    #   DEFINITION = Bench.define("zebras") do
    #     description "…"
    #     cases Cases::NAMES
    #     rounds "number of number of timed rounds (default: 7)"
    #     folder "where the zebras are generated"
    #     reports chart: true
    #   end
    module CommonOptions
      # @param names [Array<String>]
      # @param more [String] appended to the text
      def cases(names, more = "")
        option "--only A,B", Array, "only these cases: #{names.join(", ")}#{more}", values: names, list: true
      end

      # @param text [String]
      def rounds(text) = option("--rounds N", OptionParser::DecimalInteger, text)

      # @param text [String]
      def quick(text = "use tiny sizes: shows that everything works, and measures nothing") = option("--quick", text)

      # @param text [String] what is written there
      def folder(text)
        option "--dir DIR", "#{text} (default: TMPDIR)"
        option "--keep", "do not remove it at the end"
      end

      # @param chart [Boolean] whether the benchmark draws one
      def reports(chart:)
        option "--json FILE", "write all samples to FILE as JSON"
        option "--svg FILE", "write a chart to FILE" if chart
        option "--save", "write #{chart ? "report, JSON and chart" : "report and JSON"} into bench/results"
      end
    end

    # @param name [String] of the benchmark
    # @yield in a {CLI::Definition::Builder} with {CommonOptions}
    # @return [CLI::Definition]
    def self.define(name, &block)
      CLI::Definition.define("bench #{name}") do
        extend CommonOptions

        summary CLI::Benchmarks.summary(name)
        usage "[options]"
        next_step "frugal bench #{name} --quick"
        exit_status 0 => "success", 1 => "the benchmark failed", 2 => "wrong usage", 130 => "interrupted"
        instance_eval(&block)
      end
    end
  end
end
