# frozen_string_literal: true

require_relative "arguments"
require_relative "paint"
require_relative "mistake"
require_relative "../store/upkeep"
require_relative "../store/conversion"

module Frugal
  module CLI
    # Words of <tt>frugal store</tt>; {Frugal::Store::Upkeep} and
    # {Frugal::Store::Conversion} do the work.
    module Store
      SUMMARY = "look into a Frugal::Store or PStore file; check, convert, compact it"
      HELP = <<~TEXT
        usage: frugal store stats|verify|dump|compact FILE
               frugal store convert FILE TO [--engine NAME] [--serializer NAME] [--force]

        Works on the files of Frugal::Store, and on those of PStore, which are the same; not
        on those of YAML::Store. What kind FILE is, its first bytes say.

          frugal store stats app.store             how many roots, which are large
          frugal store verify app.store            can every root be read? Exit status 1 if not
          frugal store dump app.store | head       each root as a line of JSON
          frugal store convert app.store app.sqlite     more than 1 MB, or 20,000 roots
          frugal store convert app.store app.json       to read it, or to leave Ruby
          frugal store compact app.store           gives back what deleted roots took

        convert:
              --engine NAME      of the new store: file or sqlite. Without it, by the name:
                                 .db .sqlite .sqlite3, or else a file
              --serializer NAME  marshal, json or messagepack. Without it, by the name: .json
                                 .msgpack, or else as FILE
              --force            takes the place of what TO names
          The new store is there whole or not at all, and FILE stays as it is. Nobody can
          write to FILE meanwhile. Other programs must then be told of the new name.

        all:
              --json             for programs: one JSON object, or one a line. A name that is
                                 no UTF-8 has its bytes in "base64" ("from_base64", "to_base64")
          -r, --require LIB      what defines the classes of the objects in a Marshal file

        Marshal makes objects of whatever classes the file names: dump and convert are for
        files that you trust. stats and verify make none under the C engine, if they can do without.

        Exit status: 0; 1 if FILE is damaged, or something in it cannot be converted; 2 for wrong usage.

        next: frugal store stats FILE
      TEXT

      COMMANDS = { "stats" => 1, "verify" => 1, "dump" => 1, "compact" => 1, "convert" => 2 }.freeze

      autoload :Commands, "#{__dir__}/store/commands"
      autoload :Data, "#{__dir__}/store/data"
      autoload :Progress, "#{__dir__}/store/progress"
      autoload :Report, "#{__dir__}/store/report"

      class << self
        # @param argv [Array<String>] after <tt>store</tt>
        # @return [Integer] exit status
        def run(argv)
          options = { require: [] }
          command, *files = parser(options).parse(argv)
          return help if options[:help]

          check(command, files)
          options.delete(:require).each { |library| load_library(library) }
          Commands.new(**options).public_send(command, *files)
        rescue Arguments::ParseError, UsageError => error
          Mistake.tell(Mistake.words(error), "next: #{advice(error, command, files)}", status: USAGE, command: "store")
        rescue SystemCallError => error
          Mistake.tell(error.message.b.sub(/\A(.*?)(?: @ \w+)? - (.*)\z/m, "\\2: \\1"), status: 1, command: "store")
        rescue Error, TypeError => error
          Mistake.tell(error.message, status: 1, command: "store")
        end

        private

        def parser(options)
          Arguments.new do |parser|
            parser.on("--json") { options[:json] = true }
            parser.on("--force") { options[:force] = true }
            parser.on("--engine NAME") { |name| options[:engine] = symbol(name) }
            parser.on("--serializer NAME") { |name| options[:serializer] = symbol(name) }
            parser.on("-r", "--require LIB") { |library| options[:require] << library }
            parser.on("-h", "--help") { options[:help] = true }
          end
        end

        # Broken text can be no Symbol; bytes can, and then they name no engine.
        def symbol(name) = (name.valid_encoding? ? name : name.b).to_sym

        def check(command, files)
          raise UsageError, "say what to do: #{COMMANDS.keys.join(", ")}" if command.nil?
          raise UsageError, "there is no frugal store #{command}: it is #{COMMANDS.keys.join(", ")}" unless COMMANDS.key?(command)
          return if files.size == COMMANDS[command]

          raise UsageError, "frugal store #{command} takes #{COMMANDS[command] == 1 ? "one FILE" : "FILE and TO"}, not #{files.size}"
        end

        def load_library(library)
          $LOAD_PATH.unshift(Dir.pwd) unless $LOAD_PATH.include?(Dir.pwd)
          require library
        rescue LoadError => error
          raise UsageError, "--require: #{words(error) || "cannot load such file -- #{library}"}"
        end

        # @return [String, nil] nil for Ruby 4.0's error of a name that is no UTF-8, which cannot be said
        def words(error)
          error.message
        rescue ArgumentError
          nil
        end

        def advice(error, command, files)
          return "frugal store --help" unless error.message.start_with?("undefined class/module")

          "frugal store #{command} -r LIB #{files.join(" ")}, where LIB defines it"
        end

        def help
          $stdout.write(HELP)
          0
        end
      end
    end
  end
end
