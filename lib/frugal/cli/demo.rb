# frozen_string_literal: true

require_relative "arguments"
require_relative "complaint"
require_relative "definition"
require_relative "paint"
require_relative "../demo"
require_relative "../compare/progress"
require_relative "../compare/report/text"

module Frugal
  module CLI
    # The command `frugal demo`. {Frugal::Demo} does the work.
    module Demo
      PAGES = 1..1_000_000
      NEXT = "next: in a project of yours, frugal compare -- rake"
      private_constant :PAGES, :NEXT

      class << self
        # @param argv [Array<String>]
        # @return [Integer] exit status
        def run(argv)
          demo = Frugal::Demo.new(**parse(argv))
          progress = Frugal::Compare::Progress.new($stderr, heartbeat: true)
          progress.say(introduction(demo))
          report(demo.run(timed: ->(result) { so_far(progress, result) }, &progress), progress)
        rescue Frugal::CommandError => e
          raise Failure.new(e.message, "next: gem install rake", status: e.status)
        rescue Frugal::Demo::Failed, SystemCallError => e
          raise Failure.new(*e.message.lines(chomp: true), space(demo))
        rescue Interrupt
          raise Failure.new("interrupted; everything was removed", status: Complaint::INTERRUPTED)
        ensure
          progress&.clear
        end

        private

        def parse(argv)
          options, rest = Definition["demo"].parse(argv, pages: method(:within))
          raise UsageError, "unexpected argument: #{rest.first}" if rest.any?

          options
        end

        def within(number)
          return number if PAGES.cover?(number)

          raise Arguments::InvalidArgument, "#{number}: must be from #{PAGES.min} to #{PAGES.max}"
        end

        def space(demo)
          "the demo needs #{demo.megabytes} MB in #{Dir.tmpdir}; set TMPDIR to use another folder"
        end

        def introduction(demo)
          pages = Frugal::Readable.count(demo.pages)
          <<~TEXT.chomp
            A site of #{pages} pages is built with Rake in a temporary folder (#{demo.megabytes} MB in
            #{Dir.tmpdir}, removed at the end). Then a build that has nothing left to do runs
            without frugal and under `frugal run`, alternately. Nothing is installed.
          TEXT
        end

        def so_far(progress, result)
          progress.say("\n#{Frugal::Compare::Verdict.new(result).time}\n")
        end

        def report(result, progress)
          progress.clear
          raise Failure, "two builds gave different results here; next: frugal doctor" unless result.compared?

          text = Frugal::Compare::Report::Text.of(result, width: Paint.width, next_step: NEXT) do |verdict|
            Paint.bold(verdict)
          end
          $stdout.write(text)
          result.interrupted ? 130 : 0
        end
      end
    end
  end
end
