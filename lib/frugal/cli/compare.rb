# frozen_string_literal: true

require_relative "arguments"
require_relative "paint"
require_relative "mistake"
require_relative "../compare"
require_relative "../compare/progress"
require_relative "../compare/report/text"
require_relative "../compare/report/refusal_text"
require_relative "../compare/report/json"

module Frugal
  module CLI
    # Words of `frugal compare`; {Frugal::Compare} does the work.
    module Compare
      SUMMARY = "run a command with and without frugal, and prove the difference"
      HELP = <<~TEXT
        usage: frugal compare [options] [--] COMMAND…

        Runs COMMAND as it is (stock) and under `frugal run`, alternately and in this
        directory; then counts allocations, exceptions and, with strace, system calls.
        Where output or exit status differ, it refuses and shows the difference. Ctrl-C
        shows what is known by then.

          frugal compare -- rake                     a build that has nothing to do
          frugal compare --prepare 'rake clean' -- rake   a build from scratch

        options:
          -n, --pairs N         timed pairs of runs (5; 3 where a run takes over a second)
              --warmup N        pairs before them that do not count (1)
              --prepare CMD     shell command before each run, not timed
              --only A,B        switch on these drop-ins only, as `frugal run`
              --except A        switch on all but these
              --ignore-output   compare the exit status only: for output that holds
                                times, pids or random numbers
              --ignore-failure  compare a command that fails
              --no-counts       do without the runs that count
              --no-system-calls do without those under strace
              --json FILE       write all numbers as JSON; - writes them to the
                                standard output instead of the report

        Exit status: 0 compared, whatever the verdict; 1 refused, or the preparation
        failed; 2 wrong usage; 127 or 126 when COMMAND cannot be found or executed; that
        of COMMAND where it fails; 130 interrupted.

        next: frugal compare -- rake
      TEXT

      MOST = 1000 # pairs
      ANNOUNCED = 5 # seconds: what takes longer is announced
      private_constant :MOST, :ANNOUNCED

      class << self
        # @param argv [Array<String>] options and the command
        # @return [Integer] exit status
        def run(argv)
          options = {}
          command = parse(argv.dup, options)
          return help if options.delete(:help)

          json = options.delete(:json)
          report(result(command, options), json)
        rescue Arguments::ParseError, UsageError => error
          Mistake.tell(Mistake.words(error), "next: frugal compare --help", status: 2)
        rescue Frugal::Compare::CommandError => error
          Mistake.tell(error.message, status: error.status)
        rescue Error => error
          Mistake.tell(*error.message.lines(chomp: true), status: 1)
        rescue Interrupt
          Mistake.tell("interrupted", status: 130)
        end

        private

        def parse(argv, options)
          parser(options).order!(argv)
          raise UsageError, "no command to compare" if argv.empty? && !options[:help]

          argv
        end

        def parser(options)
          Arguments.new do |parser|
            parser.on("-n", "--pairs N", Arguments::DecimalInteger) { |number| options[:pairs] = within(1, number) }
            parser.on("--warmup N", Arguments::DecimalInteger) { |number| options[:warmup] = within(0, number) }
            parser.on("--prepare CMD") { |command| options[:prepare] = command }
            parser.on("--only NAMES") { |names| options[:only] = names }
            parser.on("--except NAMES") { |names| options[:except] = names }
            parser.on("--ignore-output") { options[:ignore_output] = true }
            parser.on("--ignore-failure") { options[:ignore_failure] = true }
            parser.on("--[no-]counts") { |wanted| options[:counts] = wanted }
            parser.on("--[no-]system-calls") { |wanted| options[:system_calls] = wanted }
            parser.on("--json FILE") { |file| options[:json] = writable(file) }
            parser.on("-h", "--help") { options[:help] = true }
          end
        end

        def within(least, number)
          raise Arguments::InvalidArgument, "#{number}: at least #{least}" if number < least
          raise Arguments::InvalidArgument, "#{number}: at most #{MOST}" if number > MOST

          number
        end

        # Asked before the runs, which may take minutes.
        def writable(file)
          folder = File.dirname(file)
          raise Arguments::InvalidArgument, "#{file}: no such folder" unless File.directory?(folder)

          file
        end

        def help
          $stdout.write(HELP)
          0
        end

        def result(command, options)
          progress = Frugal::Compare::Progress.new($stderr, heartbeat: true)
          Frugal::Compare.new(command, **options).run(estimate: ->(seconds) { announce(progress, seconds) },
                                                      timed: ->(result) { so_far(progress, result) }, &progress)
        ensure
          progress&.clear
        end

        def announce(progress, seconds)
          @long = seconds > ANNOUNCED
          progress.say("frugal: this takes about #{Frugal::Compare::Units.seconds(seconds.ceil.to_f).sub(/\.\d+/, "")}") if @long
        end

        def so_far(progress, result)
          progress.say("frugal: #{Frugal::Compare::Verdict.new(result).time}; now it is counted") if @long
        end

        def report(result, json)
          File.write(json, Frugal::Compare::Report::JSON.of(result)) if json && json != "-"
          $stdout.write(Frugal::Compare::Report::JSON.of(result)) if json == "-"
          return fail(result) if result.failure
          return refuse(result) unless result.compared?

          $stdout.write(Frugal::Compare::Report::Text.of(result, width: Paint.width) { |verdict| Paint.bold(verdict) }) unless json == "-"
          result.interrupted ? 130 : 0
        end

        def fail(result)
          Mistake.tell(*Frugal::Compare::Report::FailureText.of(result), status: result.failure.status)
        end

        def refuse(result)
          Mistake.tell(*Frugal::Compare::Report::RefusalText.of(result), status: 1)
        end
      end
    end
  end
end
