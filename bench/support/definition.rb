# frozen_string_literal: true

require_relative "../../lib/frugal"
require_relative "../../lib/frugal/cli/arguments"
require_relative "../../lib/frugal/cli/benchmarks"
require_relative "../../lib/frugal/cli/definition"

module Frugal
  # What all benchmarks share.
  module Bench
    # A benchmark: its name, the module with its `Benchmark` and its `Report`, its definition as a command, and the
    # defaults and checks of its options.
    Subject = Struct.new(:name, :code, :definition, :defaults, :checks, keyword_init: true)

    # The options that benchmarks have, for the block of {Bench.define}.
    #
    #   Bench.define("zebras", ZebrasBench) do
    #     description "…"
    #     cases ZebrasBench::Cases::NAMES
    #     rounds 7, "number of timed rounds"
    #     folder "where the zebras are generated"
    #     reports chart: true
    #   end
    module Options
      # @return [Hash{Symbol => Object}]
      def defaults = @defaults ||= { quick: false, keep: false }

      # @return [Hash{Symbol => #call}] by name of an option: checks or converts its value
      def checks
        @checks ||= { dir: method(:existing), json: method(:writable), svg: method(:writable) }
      end

      # @param names [Array<String>]
      # @param more [String] appended to the text
      def cases(names, more = "")
        default(:only, names) do |wanted|
          unknown = wanted - names
          raise UsageError, "unknown case: #{unknown.first} (available: #{names.join(", ")})" if unknown.any?

          wanted
        end
        option "--only A,B", Array, "only these cases: #{names.join(", ")}#{more}", values: names, list: true
      end

      # @param value [Integer] the default
      # @param text [String]
      # @param more [String, nil] what the text says about the default
      def rounds(value, text, more = nil) = number("--rounds N", value, text, more)

      # An option with a number.
      #
      # @param least [Integer] the smallest valid number
      # @param type [Object] for OptionParser
      def number(flag, value, text, more = nil, least: 1, type: OptionParser::DecimalInteger)
        default(flag[/\A--([\w-]+)/, 1].tr("-", "_").to_sym, value) do |given|
          # A part of 1 is valid where the type has parts.
          valid = least == 1 ? given.positive? : given >= least
          valid ? given : raise(OptionParser::InvalidArgument, "#{given}: at least #{least}")
        end
        option flag, type, "#{text} (default: #{[value, *more].join("; ")})"
      end

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

      # @yield [value] checks or converts a value that is given
      def default(key, value, &check)
        defaults[key] = value
        checks[key] = check
      end

      private

      def existing(folder)
        File.directory?(folder) ? folder : raise(OptionParser::InvalidArgument, "#{folder}: no such folder")
      end

      def writable(file) = existing(File.dirname(file)).then { File.expand_path(file) }
    end

    # Defines a benchmark as a command.
    #
    # @param name [String] of the benchmark
    # @param code [Module] with its `Benchmark` and its `Report`
    # @yield in a {CLI::Definition::Builder} with {Options}
    # @return [Subject]
    def self.define(name, code, &block)
      subject = Subject.new(name: name, code: code)
      subject.definition = CLI::Definition.define("bench #{name}") do
        extend Options

        summary CLI::Benchmarks.summary(name)
        usage "[options]"
        next_step "frugal bench #{name} --quick"
        exit_status 0 => "success", 1 => "the benchmark failed", 2 => "wrong usage", 130 => "interrupted"
        instance_eval(&block)
        subject.defaults = defaults
        subject.checks = checks
      end
      subject
    end
  end
end
