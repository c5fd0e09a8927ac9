# frozen_string_literal: true

require "fileutils"
require_relative "../../lib/frugal"
require_relative "../../lib/frugal/native"
require_relative "../../lib/frugal/compare"
require_relative "../../lib/frugal/cli/complaint"
require_relative "../../lib/frugal/cli/paint"
require_relative "machine"

module Frugal
  module Bench
    # The output of a benchmark. `chart` is nil if the benchmark draws none.
    Outcome = Struct.new(:report, :document, :chart, keyword_init: true) do
      # @return [Hash{String => String}] file extension → contents
      def files = { "md" => report, "json" => document, "svg" => chart }.compact
    end

    # The command of a benchmark: options, where its report goes, exit status. A
    # subclass has a NAME, DEFAULTS, and BENCH: the module with the DEFINITION, the
    # Benchmark and the Report.
    #
    #   class Command < Bench::Command
    #     NAME = "zebras"
    #     BENCH = ZebrasBench
    #     DEFAULTS = { rounds: 7, quick: false, keep: false, only: Cases::NAMES }.freeze
    #   end
    #
    # The options are those of {Bench.define}.
    class Command
      CHECKOUT = File.exist?(File.expand_path("../../bin/setup", __dir__))
      # In a checkout, results are saved to be committed. The folder of an installed gem must not be changed, so there
      # they are saved in the current directory.
      RESULTS = CHECKOUT ? File.expand_path("../results", __dir__) : File.expand_path("bench/results")

      # Runs a benchmark and ends this process.
      def self.start(argv) = exit(CLI::Complaint.guard("bench #{self::NAME}") { new(argv).run })

      # @param argv [Array<String>]
      # @raise [UsageError, OptionParser::ParseError]
      # @throw [:help] for --help
      def initialize(argv)
        @argv = argv.dup.freeze
        options, rest = bench::DEFINITION.parse(argv, **common_converters, **converters)
        raise UsageError, "unexpected argument: #{rest.first}" if rest.any?

        @options = self.class::DEFAULTS.merge(options)
        return unless @options[:save] && @options[:quick]

        raise UsageError, "--save cannot be combined with --quick, which measures nothing"
      end

      # @return [Integer] exit status
      def run = publish(measure)

      private

      # @return [Outcome]
      def measure
        benchmark = bench::Benchmark.new(@options).run
        report = bench::Report.new(benchmark.results, benchmark.facts(command))
        Outcome.new(report: report.to_s, document: report.document, chart: (report.chart if draws?))
      end

      def bench = self.class::BENCH

      def draws? = bench::Report.method_defined?(:chart)

      # @return [String] the command line, quoted for a shell
      def command = Readable.command(["frugal", "bench", self.class::NAME, *@argv])

      # @param outcome [Outcome]
      def publish(outcome)
        @options.slice(:json, :svg).each { |ending, file| File.write(file, outcome.files[ending.to_s]) }
        saved = save(outcome.files) if @options[:save]
        puts outcome.report.sub(/\A.*/) { |verdict| CLI::Paint.bold(verdict) }, ""
        look = CHECKOUT ? "git add" : "ls"
        puts saved ? "next: #{look} #{saved}" : "next: frugal bench #{self.class::NAME} --save"
        0
      end

      # @return [String] a pattern for the files that were written
      def save(files)
        name = File.join(RESULTS, "#{self.class::NAME}-#{Time.now.strftime("%Y-%m-%d")}-#{Machine.slug}")
        FileUtils.mkdir_p(RESULTS)
        files.each { |extension, text| File.write("#{name}.#{extension}", text) }
        "#{name.delete_prefix("#{Dir.pwd}/")}.*"
      end

      def common_converters
        { rounds: method(:positive), dir: method(:existing), json: method(:writable), svg: method(:writable),
          only: method(:known) }
      end

      # @return [Hash{Symbol => #call}] those of the options that only this benchmark has
      def converters = {}

      def known(names)
        cases = self.class::DEFAULTS.fetch(:only)
        unknown = names - cases
        raise UsageError, "unknown case: #{unknown.first} (available: #{cases.join(", ")})" if unknown.any?

        names
      end

      def positive(number) = number.positive? ? number : raise(OptionParser::InvalidArgument, "#{number}: at least 1")

      def existing(folder)
        return folder if File.directory?(folder)

        raise OptionParser::InvalidArgument, "#{folder}: no such folder"
      end

      def writable(file) = existing(File.dirname(file)).then { File.expand_path(file) }
    end
  end
end
