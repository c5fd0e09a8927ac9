# frozen_string_literal: true

require_relative "definition"
require_relative "paint"
require_relative "complaint"
require_relative "../compare"
require_relative "../compare/progress"
require_relative "../compare/report/text"
require_relative "../compare/report/refusal_text"
require_relative "../compare/report/json"

module Frugal
  module CLI
    # The command `frugal compare`. {Frugal::Compare} does the work.
    module Compare
      MOST = 1000 # pairs
      ANNOUNCED = 5 # seconds: a longer estimated time is announced
      private_constant :MOST, :ANNOUNCED

      class << self
        # @param argv [Array<String>] options and the command
        # @return [Integer] exit status
        def run(argv)
          options, command = parse(argv)
          json = options.delete(:json)
          report(result(command, options), json)
        rescue Frugal::CommandError => e
          raise Failure.new(e.message, status: e.status)
        rescue UsageError
          raise
        rescue Error => e
          raise Failure.new(*e.message.lines(chomp: true))
        end

        private

        def parse(argv)
          options, command = Definition["compare"].parse(
            argv, pairs: ->(number) { within(1, number) }, warmup: ->(number) { within(0, number) },
                  json: method(:writable)
          )
          raise UsageError, "no command to compare" if command.empty?

          [options, command]
        end

        def within(least, number)
          raise Arguments::InvalidArgument, "#{number}: at least #{least}" if number < least
          raise Arguments::InvalidArgument, "#{number}: at most #{MOST}" if number > MOST

          number
        end

        # Checks the folder before the runs, which may take minutes.
        def writable(file)
          folder = File.dirname(file)
          raise Arguments::InvalidArgument, "#{file}: no such folder" unless File.directory?(folder)

          file
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
          return unless @long

          time = Frugal::Readable.seconds(seconds.ceil.to_f).sub(/\.\d+/, "")
          progress.say("frugal: this takes about #{time}")
        end

        def so_far(progress, result)
          progress.say("frugal: #{Frugal::Compare::Verdict.new(result).time}; the counting runs follow") if @long
        end

        def report(result, json)
          File.write(json, Frugal::Compare::Report::JSON.of(result)) if json && json != "-"
          $stdout.write(Frugal::Compare::Report::JSON.of(result)) if json == "-"
          return fail(result) if result.failure
          return refuse(result) unless result.compared?

          write_text(result) unless json == "-"
          result.interrupted ? Complaint::INTERRUPTED : 0
        end

        def write_text(result)
          text = Frugal::Compare::Report::Text.of(result, width: Paint.width) { |verdict| Paint.bold(verdict) }
          $stdout.write(text)
        end

        def fail(result)
          Complaint.print(*Frugal::Compare::Report::FailureText.of(result), status: result.failure.status)
        end

        def refuse(result)
          Complaint.print(*Frugal::Compare::Report::RefusalText.of(result), status: 1)
        end
      end
    end
  end
end
