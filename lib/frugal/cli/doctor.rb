# frozen_string_literal: true

require "json"
require_relative "definition"
require_relative "paint"
require_relative "../compare/progress"
require_relative "../readable"
require_relative "../doctor"

module Frugal
  module CLI
    # The command `frugal doctor`. {Frugal::Doctor} does the work.
    module Doctor
      class << self
        # @param argv [Array<String>]
        # @return [Integer] exit status
        # @raise [UsageError] for an unknown option
        def run(argv)
          options, rest = Definition["doctor"].parse(argv)
          raise UsageError, "unexpected argument: #{rest.first}" unless rest.empty?

          diagnosis = examine
          puts options[:json] ? ::JSON.pretty_generate(readable(diagnosis)) : text(diagnosis)
          diagnosis[:healthy] ? 0 : 1
        end

        private

        def examine
          progress = Frugal::Compare::Progress.new($stderr, heartbeat: true)
          Frugal::Doctor.new(&progress).diagnosis
        ensure
          progress.clear
        end

        # Converts all strings to UTF-8, as JSON requires: a path in a message may have any bytes.
        def readable(value)
          case value
          when Hash then value.transform_values { |one| readable(one) }
          when Array then value.map { |one| readable(one) }
          when String then Frugal::Readable.text(value)
          else value
          end
        end

        def text(diagnosis)
          facts = facts(diagnosis)
          width = facts.map { |name, _| name.size }.max
          rows = facts.map { |name, fact| "  #{name.ljust(width)}  #{fact}" }
          [Paint.bold(diagnosis[:verdict]), "", *rows, "", "next: #{diagnosis[:next]}"]
        end

        def facts(diagnosis)
          engine = diagnosis[:engine]
          [*application(diagnosis[:application]),
           ["engine", "#{engine[:name]} (#{engine[:why]})"],
           ["ruby", diagnosis[:ruby]],
           ["frugal", diagnosis[:frugal]],
           *drop_ins(diagnosis).map { |drop_in| [drop_in[:name].to_s, drop_in_text(drop_in)] },
           *([["frugal run", "installs nothing: #{diagnosis[:run]}"]] if diagnosis[:run]),
           ["run costs", launcher_text(diagnosis[:launcher])],
           ["bytecode", bytecode_text(diagnosis[:bytecode])],
           ["recorder", recorder_text(diagnosis[:recorder])],
           ["strace", diagnosis[:strace] || "not installed"]]
        end

        def bytecode_text(kept)
          return "not kept: #{kept[:why]}" if kept[:why]
          return "none yet in #{kept[:folder]}" if kept[:files].zero?

          files = "#{Frugal::Readable.count(kept[:files])} #{kept[:files] == 1 ? "file" : "files"}"
          "of #{files}, #{kept[:bytes] / 1024} KiB, in #{kept[:folder]}"
        end

        def recorder_text(recorder)
          recorder[:available] ? "counts file calls" : "not here: #{recorder[:why]}"
        end

        def application(found)
          return [] unless found
          return [["application", found[:folder]], ["error", found[:error]]] if found[:error]

          [["application", "#{found[:folder]}, Rails #{found[:rails]}, #{found[:environment]}"],
           *([["Gemfile", "does not have gem \"frugal\", require: \"frugal/rails\""]] unless found[:drop_ins])]
        end

        # Returns the drop-ins of the application if there is one, or else of this process.
        def drop_ins(diagnosis) = diagnosis.dig(:application, :drop_ins) || diagnosis[:drop_ins]

        def drop_in_text(drop_in)
          state = { on: "on", off: "off", aside: "stands aside" }.fetch(drop_in[:state], drop_in[:state].to_s)
          version = drop_in[:version] && "version #{drop_in[:version]}"
          [state, version, drop_in[:reason]].compact.join(", ")
        end

        def launcher_text(launcher)
          launcher[:why] || "#{launcher[:system_calls]} system calls before the command begins"
        end
      end
    end
  end
end
