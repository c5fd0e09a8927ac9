# frozen_string_literal: true

require_relative "paint"
require_relative "../readable"
require_relative "complaint"
require_relative "definition"
require_relative "../store/upkeep"
require_relative "../store/conversion"

module Frugal
  module CLI
    # The command `frugal store`. {Frugal::Store::Upkeep} and {Frugal::Store::Conversion} do the work.
    module Store
      # The number of files that each command takes.
      COMMANDS = { "stats" => 1, "verify" => 1, "dump" => 1, "compact" => 1, "convert" => 2 }.freeze

      autoload :Commands, "#{__dir__}/store/commands"
      autoload :Data, "#{__dir__}/store/data"
      autoload :Progress, "#{__dir__}/store/progress"
      autoload :Report, "#{__dir__}/store/report"

      class << self
        # @param argv [Array<String>] after `store`
        # @return [Integer] exit status
        def run(argv)
          converters = { engine: method(:symbol), serializer: method(:symbol) }
          options, (command, *files) = Definition["store"].parse(argv, **converters)
          check(command, files)
          options.delete(:require)&.each { |library| load_library(library) }
          Commands.new(**options).public_send(command, *files)
        rescue UsageError => e
          raise unless e.message.start_with?("undefined class/module")

          next_step = "next: frugal store #{command} -r LIB #{files.join(" ")}, where LIB defines it"
          raise Failure.new("store: #{e.message}", next_step, status: Complaint::WRONG_USAGE)
        rescue TypeError => e
          raise Error, e.message
        end

        private

        # Invalid UTF-8 cannot become a Symbol, but binary can. The Symbol is then not the name of an engine.
        def symbol(name) = (name.valid_encoding? ? name : name.b).to_sym

        def check(command, files)
          names = COMMANDS.keys.join(", ")
          raise UsageError, "no command (available: #{names})" if command.nil?
          raise UsageError, "unknown command: #{command} (available: #{names})" unless COMMANDS.key?(command)
          return if files.size == COMMANDS[command]

          expected = COMMANDS[command] == 1 ? "one FILE" : "FILE and TO"
          raise UsageError, "#{command} takes #{expected} (got #{files.size} names)"
        end

        def load_library(library)
          $LOAD_PATH.unshift(Dir.pwd) unless $LOAD_PATH.include?(Dir.pwd)
          require library
        rescue LoadError => e
          raise UsageError, "--require: #{message(e) || "cannot load such file -- #{library}"}"
        end

        # @return [String, nil] nil if the name is not valid UTF-8 and Ruby is 4.0, whose error then has no message
        def message(error)
          error.message
        rescue ArgumentError
          nil
        end
      end
    end
  end
end
