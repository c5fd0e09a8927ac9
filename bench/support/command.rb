# frozen_string_literal: true

require "fileutils"
require_relative "definition"
require_relative "machine"
require_relative "../../lib/frugal/native"
require_relative "../../lib/frugal/compare"
require_relative "../../lib/frugal/cli/complaint"
require_relative "../../lib/frugal/cli/paint"

module Frugal
  module Bench
    # Runs a benchmark as a command: options, where its report goes, exit status.
    #
    #   Command.start(Bench.define("zebras", ZebrasBench) { … }, ARGV)
    class Command
      CHECKOUT = File.exist?(File.expand_path("../../bin/setup", __dir__))
      # In a checkout, results are saved to be committed. The folder of an installed gem must not be changed, so there
      # they are saved in the current directory.
      RESULTS = CHECKOUT ? File.expand_path("../results", __dir__) : File.expand_path("bench/results")

      # Runs a benchmark and ends this process.
      #
      # @param subject [Subject]
      # @param argv [Array<String>]
      def self.start(subject, argv) = exit(CLI::Complaint.guard("bench #{subject.name}") { new(subject, argv).run })

      # @raise [UsageError, OptionParser::ParseError]
      # @throw [:help] for --help
      def initialize(subject, argv)
        @subject = subject
        @argv = argv.dup.freeze
        options, rest = subject.definition.parse(argv, **subject.checks)
        raise UsageError, "unexpected argument: #{rest.first}" if rest.any?

        @options = subject.defaults.merge(options)
        return unless @options[:save] && @options[:quick]

        raise UsageError, "--save cannot be combined with --quick, which measures nothing"
      end

      # @return [Integer] exit status
      def run
        benchmark = @subject.code::Benchmark.new(@subject.name, @options).run
        facts = benchmark.facts(Readable.command(["frugal", "bench", @subject.name, *@argv]))
        report = @subject.code::Report.new(benchmark.results, facts)
        @options.slice(:json, :svg).each { |ending, file| File.write(file, report.files[ending.to_s]) }
        saved = save(report.files) if @options[:save]
        puts report.to_s.sub(/\A.*/) { |verdict| CLI::Paint.bold(verdict) }, ""
        look = CHECKOUT ? "git add" : "ls"
        puts saved ? "next: #{look} #{saved}" : "next: frugal bench #{@subject.name} --save"
        0
      end

      private

      # @return [String] a pattern for the files that were written
      def save(files)
        name = File.join(RESULTS, "#{@subject.name}-#{Time.now.strftime("%Y-%m-%d")}-#{Machine.slug}")
        FileUtils.mkdir_p(RESULTS)
        files.each { |extension, text| File.write("#{name}.#{extension}", text) }
        "#{name.delete_prefix("#{Dir.pwd}/")}.*"
      end
    end
  end
end
