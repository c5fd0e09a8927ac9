# frozen_string_literal: true

require "fileutils"
require_relative "../../lib/frugal/cli/arguments"
require_relative "../../lib/frugal"
require_relative "../../lib/frugal/native"
require_relative "../../lib/frugal/compare"
require_relative "../../lib/frugal/cli/mistake"
require_relative "../../lib/frugal/cli/paint"
require_relative "machine"

module Frugal
  module Bench
    # What a benchmark hands out. +chart+ is nil where it draws none.
    Outcome = Struct.new(:report, :document, :chart, keyword_init: true) do
      # @return [Hash{String => String}] ending → text of the file
      def files = { "md" => report, "json" => document, "svg" => chart }.compact
    end

    # The words of a benchmark: options, where its report goes, exit status. A
    # benchmark adds its NAME, its DEFAULTS, and its BENCH: the module that holds
    # its HELP, its Benchmark and its Report.
    #
    #   class Command < Bench::Command
    #     NAME = "zebras"
    #     BENCH = ZebrasBench
    #     DEFAULTS = { rounds: 7, quick: false, keep: false, only: Cases::NAMES }.freeze
    #   end
    #
    # A default that is false makes a flag, +only+ makes --only, and a Report that
    # draws a +chart+ makes --svg; +options+ adds what is the benchmark's own.
    class Command
      CHECKOUT = File.exist?(File.expand_path("../../bin/setup", __dir__))
      # Of a checkout, to be committed; the folder of an installed gem belongs to others.
      RESULTS = CHECKOUT ? File.expand_path("../results", __dir__) : File.expand_path("bench/results")

      # Runs one as the whole of this process.
      def self.start(argv)
        exit new(argv).run
      rescue OptionParser::ParseError, UsageError => error
        warn "frugal: #{CLI::Mistake.words(error)}", "frugal: next: frugal bench #{self::NAME} --help"
        exit 2
      rescue Frugal::Error => error
        warn "frugal: #{error.message}"
        exit 1
      rescue Interrupt
        warn "frugal: interrupted"
        exit 130
      end

      def initialize(argv)
        @argv = argv.dup.freeze
        @options = self.class::DEFAULTS.dup
        parser.parse(argv).then { |rest| raise UsageError, "what is #{rest.first}?" if rest.any? }
        raise UsageError, "--save keeps what will be quoted: not with --quick" if @options[:save] && @options[:quick]
      end

      # @return [Integer] exit status
      def run
        return $stdout.write(bench::HELP).then { 0 } if @options[:help]

        publish(measure)
      end

      private

      # @return [Outcome]
      def measure
        benchmark = bench::Benchmark.new(@options).run
        report = bench::Report.new(benchmark.results, benchmark.facts(command))
        Outcome.new(report: report.to_s, document: report.document, chart: (report.chart if draws?))
      end

      def bench = self.class::BENCH

      def draws? = bench::Report.method_defined?(:chart)

      # @return [String] as one would type it into a shell
      def command = Compare::Units.command(["frugal", "bench", self.class::NAME, *@argv])

      # @param outcome [Outcome]
      def publish(outcome)
        %w[json svg].each { |ending| File.write(@options[ending.to_sym], outcome.files[ending]) if @options[ending.to_sym] }
        saved = save(outcome.files) if @options[:save]
        puts outcome.report.sub(/\A.*/) { |verdict| CLI::Paint.bold(verdict) }, ""
        puts saved ? "next: #{CHECKOUT ? "git add" : "ls"} #{saved}" : "next: frugal bench #{self.class::NAME} --save"
        0
      end

      # @return [String] what was written
      def save(files)
        name = File.join(RESULTS, "#{self.class::NAME}-#{Time.now.strftime("%Y-%m-%d")}-#{Machine.slug}")
        FileUtils.mkdir_p(RESULTS)
        files.each { |ending, text| File.write("#{name}.#{ending}", text) }
        "#{name.delete_prefix("#{Dir.pwd}/")}.*"
      end

      def parser
        CLI::Arguments.new do |parser|
          parser.on("--rounds N", OptionParser::DecimalInteger) { |number| @options[:rounds] = positive(number) }
          parser.on("--dir DIR") { |folder| @options[:dir] = existing(folder) }
          parser.on("--json FILE") { |file| @options[:json] = writable(file) }
          parser.on("--svg FILE") { |file| @options[:svg] = writable(file) } if draws?
          parser.on("--only NAMES", Array) { |names| @options[:only] = known(names) } if @options[:only]
          flags.each { |name| parser.on("--#{name}") { @options[name] = true } }
          parser.on("-h", "--help") { @options[:help] = true }
          options(parser)
        end
      end

      def flags = [*self.class::DEFAULTS.select { |_, value| value == false }.keys, :save]

      # Options of the benchmark's own.
      def options(parser); end

      def known(names)
        cases = self.class::DEFAULTS.fetch(:only)
        unknown = names - cases
        raise UsageError, "no case is called #{unknown.first}; there is: #{cases.join(", ")}" if unknown.any?

        names
      end

      def positive(number) = number.positive? ? number : raise(OptionParser::InvalidArgument, "#{number}: at least 1")

      def existing(folder) = File.directory?(folder) ? folder : raise(OptionParser::InvalidArgument, "#{folder}: no such folder")

      def writable(file) = existing(File.dirname(file)).then { File.expand_path(file) }
    end
  end
end
