# frozen_string_literal: true

require_relative "arguments"
require_relative "mistake"
require_relative "paint"
require_relative "../demo"
require_relative "../compare/progress"
require_relative "../compare/report/text"

module Frugal
  module CLI
    # Words of `frugal demo`; {Frugal::Demo} does the work.
    module Demo
      SUMMARY = "see in a minute what it does: a site of many pages, with and without frugal"
      HELP = <<~TEXT
        usage: frugal demo [--pages N]

        Makes a site of 12,000 pages in a temporary folder, builds it with Rake, and
        compares a build that has nothing left to do: as it is, and under `frugal run`.
        It installs nothing, needs no network, and leaves nothing behind; Ctrl-C ends it.

          frugal demo                  under a minute on two cores
          frugal demo --pages 2000     a smaller one

        options:
          --pages N   pages of text (12000), each a file, and a file of HTML

        next: in a project of yours, frugal compare -- rake
      TEXT
      PAGES = (1..1_000_000).freeze
      NEXT = "next: in a project of yours, frugal compare -- rake"
      private_constant :PAGES, :NEXT

      class << self
        # @param argv [Array<String>]
        # @return [Integer] exit status
        def run(argv)
          demo = Frugal::Demo.new(**parse(argv.dup))
          progress = Frugal::Compare::Progress.new($stderr, heartbeat: true)
          progress.say(introduction(demo))
          report(demo.run(timed: ->(result) { so_far(progress, result) }, &progress), progress)
        rescue Arguments::ParseError => e
          Mistake.tell(Mistake.words(e), "next: frugal demo --help", status: 2)
        rescue Frugal::Compare::CommandError => e
          Mistake.tell(e.message, "next: gem install rake", status: e.status)
        rescue Frugal::Demo::Failed, SystemCallError => e
          Mistake.tell(*e.message.lines(chomp: true), "the demo needs #{demo.megabytes} MB in #{Dir.tmpdir}; TMPDIR names another folder", status: 1)
        rescue Interrupt
          Mistake.tell("interrupted; nothing is left of it", status: 130)
        ensure
          progress&.clear
        end

        private

        def parse(argv)
          options = {}
          rest = Arguments.new do |parser|
            parser.on("--pages N", Arguments::DecimalInteger) { |number| options[:pages] = within(number) }
          end.parse(argv)
          raise Arguments::InvalidArgument, "#{rest.first}: it takes no names" if rest.any?

          options
        end

        def within(number)
          raise Arguments::InvalidArgument, "#{number}: from #{PAGES.min} to #{PAGES.max}" unless PAGES.cover?(number)

          number
        end

        def introduction(demo)
          <<~TEXT.chomp
            A site of #{Frugal::Compare::Units.count(demo.pages)} pages is built with Rake in a temporary folder (#{demo.megabytes} MB in
            #{Dir.tmpdir}, removed at the end). Then a build that has nothing left to do runs
            as it is and under `frugal run`, in turn. Nothing is installed.
          TEXT
        end

        def so_far(progress, result)
          progress.say("\n#{Frugal::Compare::Verdict.new(result).time}\n")
        end

        def report(result, progress)
          progress.clear
          return Mistake.tell("the build does not repeat itself here: frugal doctor", status: 1) unless result.compared?

          text = Frugal::Compare::Report::Text.of(result, width: Paint.width, next_step: NEXT) { |verdict| Paint.bold(verdict) }
          $stdout.write(text)
          result.interrupted ? 130 : 0
        end
      end
    end
  end
end
