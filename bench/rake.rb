# frozen_string_literal: true

# Rake on 10,000 and 50,000 files, a graph and a chain: stock, frugal, make and ninja
#
# The catalogue of what is built is rake/cases.rb, of what it set out to reach
# rake/targets.rb.

require "optparse"
require_relative "rake/benchmark"

module Frugal
  # See HELP.
  module RakeBench
    HELP = <<~TEXT
      usage: frugal bench rake [options]

      Builds generated projects with the installed Rake, the newest Rake, each of them
      under `frugal run`, make and ninja, in turn; then counts stat calls (with strace)
      and exceptions. Takes ten to thirty minutes: making files is slow on some disks, and
      ninja starts a process for each. On such a disk, --dir /dev/shm tells more.

        frugal bench rake --only p10000,dag     two cases
        frugal bench rake --rounds 9 --save     a report to keep

      options:
        --only A,B     of: #{Cases::NAMES.join(", ")},
                       #{MICRO.keys.join(", ")}; boot always runs
        --rounds N     timed rounds of each rival, after one to warm up (5)
        --patience S   seconds that one rival may spend on one case (60)
        --quick        tiny sizes: shows that all works, and measures nothing
        --offline      no download of the newest Rake (gem install, into ~/.cache/frugal/bench)
        --dir DIR      where the projects are generated (TMPDIR)
        --keep         leave them there
        --json FILE    all samples as JSON
        --save         writes the report and its JSON into bench/results

      next: frugal bench rake --quick
    TEXT

    RESULTS = File.join(__dir__, "results")
    DEFAULTS = { rounds: 5, patience: 60.0, quick: false, offline: false, keep: false, only: Cases::NAMES + MICRO.keys }.freeze

    # Its words: options, where the report goes, exit status.
    class Command
      def initialize(argv)
        @argv = argv.dup.freeze
        @options = DEFAULTS.dup
        parser.parse(argv).then { |rest| raise UsageError, "what is #{rest.first}?" if rest.any? }
        raise UsageError, "--save keeps what will be quoted: not with --quick" if @options[:save] && @options[:quick]
      end

      # @return [Integer] exit status
      def run
        return $stdout.write(HELP).then { 0 } if @options[:help]

        benchmark = Benchmark.new(@options).run
        facts = benchmark.facts.merge(command: Compare::Units.command(["frugal", "bench", "rake", *@argv]))
        publish(benchmark.results, facts)
      end

      private

      def publish(results, facts)
        report = Report.new(results, facts)
        document = Document.of(results, facts)
        File.write(@options[:json], document) if @options[:json]
        saved = save(report.to_s, document) if @options[:save]
        puts report.to_s.sub(/\A.*/) { |verdict| CLI::Paint.bold(verdict) }, ""
        puts saved ? "next: git add #{saved}" : "next: frugal bench rake --save"
        0
      end

      # @return [String] what to commit
      def save(report, document)
        name = File.join(RESULTS, "rake-#{Time.now.strftime("%Y-%m-%d")}-#{Machine.slug}")
        FileUtils.mkdir_p(RESULTS)
        File.write("#{name}.md", report)
        File.write("#{name}.json", document)
        "bench/results/#{File.basename(name)}.*"
      end

      def parser
        OptionParser.new do |parser|
          parser.on("--only NAMES", Array) { |names| @options[:only] = known(names) }
          parser.on("--rounds N", OptionParser::DecimalInteger) { |number| @options[:rounds] = positive(number) }
          parser.on("--patience S", Float) { |number| @options[:patience] = positive(number) }
          parser.on("--dir DIR") { |folder| @options[:dir] = existing(folder) }
          parser.on("--json FILE") { |file| existing(File.dirname(file)).then { @options[:json] = File.expand_path(file) } }
          %i[quick offline keep save].each { |name| parser.on("--#{name}") { @options[name] = true } }
          parser.on("-h", "--help") { @options[:help] = true }
        end
      end

      def known(names)
        unknown = names - DEFAULTS[:only]
        raise UsageError, "no case is called #{unknown.first}; there is: #{DEFAULTS[:only].join(", ")}" if unknown.any?

        names
      end

      def positive(number) = number.positive? ? number : raise(OptionParser::InvalidArgument, "#{number}: at least 1")

      def existing(folder) = File.directory?(folder) ? folder : raise(OptionParser::InvalidArgument, "#{folder}: no such folder")
    end
  end
end

begin
  exit Frugal::RakeBench::Command.new(ARGV).run
rescue OptionParser::ParseError, Frugal::UsageError => error
  warn "frugal: #{error.message}", "frugal: next: frugal bench rake --help"
  exit 2
rescue Frugal::Error => error
  warn "frugal: #{error.message}"
  exit 1
rescue Interrupt
  warn "frugal: interrupted"
  exit 130
end
