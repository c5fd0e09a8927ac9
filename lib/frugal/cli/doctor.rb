# frozen_string_literal: true

require "json"
require_relative "arguments"
require_relative "paint"
require_relative "mistake"
require_relative "../doctor"

module Frugal
  module CLI
    # Words of <tt>frugal doctor</tt>; {Frugal::Doctor} finds out.
    module Doctor
      SUMMARY = "what is on here, what is not, and why"
      HELP = <<~TEXT
        usage: frugal doctor [--json]

        Looks at this machine and this folder: which engine frugal has, which drop-ins
        would be on, which stand aside and why, and what `frugal run` itself costs.

          frugal doctor
          frugal doctor --json

        options:
          --json   all of it as one JSON object

        Exit status: 0 where every drop-in can work; 1 otherwise; 2 for wrong usage.

        next: the last line of what it prints
      TEXT

      class << self
        # @param argv [Array<String>]
        # @return [Integer] exit status
        # @raise [UsageError] for an unknown option
        def run(argv)
          json = false
          rest = Arguments.new { |parser| parser.on("--json") { json = true } }.parse(argv)
          raise UsageError, "doctor: #{rest.first} is too much: it takes no names" unless rest.empty?

          diagnosis = Frugal::Doctor.new.diagnosis
          puts json ? ::JSON.pretty_generate(diagnosis) : text(diagnosis)
          diagnosis[:healthy] ? 0 : 1
        rescue Arguments::ParseError => error
          raise UsageError, "doctor: #{Mistake.words(error)}"
        end

        private

        def text(diagnosis)
          facts = facts(diagnosis)
          width = facts.map { |name, _| name.size }.max
          rows = facts.map { |name, fact| "  #{name.ljust(width)}  #{fact}" }
          [Paint.bold(diagnosis[:verdict]), "", *rows, "", "next: #{diagnosis[:next]}"]
        end

        def facts(diagnosis)
          engine = diagnosis[:engine]
          [["engine", "#{engine[:name]} (#{engine[:why]})"],
           ["ruby", diagnosis[:ruby]],
           ["frugal", diagnosis[:frugal]],
           *diagnosis[:drop_ins].map { |drop_in| [drop_in[:name].to_s, drop_in_text(drop_in)] },
           ["run costs", launcher_text(diagnosis[:launcher])],
           ["strace", diagnosis[:strace] || "not here: compare cannot count system calls"]]
        end

        def drop_in_text(drop_in)
          state = { on: "on", off: "off", aside: "stands aside" }.fetch(drop_in[:state], drop_in[:state].to_s)
          version = drop_in[:version] && "version #{drop_in[:version]}"
          [state, version, drop_in[:reason]].compact.join(", ")
        end

        def launcher_text(launcher)
          calls = launcher[:system_calls]
          time = launcher[:milliseconds] ? format("%.1f ms of processor time", launcher[:milliseconds]) : "less than this machine's noise"
          [time, calls && "#{calls} system calls"].compact.join(", ")
        end
      end
    end
  end
end
