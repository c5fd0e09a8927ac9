# frozen_string_literal: true

require_relative "published"
require_relative "version"
require_relative "error"

module Frugal
  # The command line. Each command is a file in cli/, read when it is called.
  #
  #   exit Frugal::CLI.start(ARGV)
  module CLI
    # In the order in which a newcomer needs them.
    COMMANDS = %w[demo run compare doctor walk store bench].freeze
    USAGE = 2
    ENGINES = ["", "c", "pure"].freeze
    private_constant :ENGINES

    # What a command says cannot be written: the disk is full, say.
    class Unwritten < Error
      # @param error [SystemCallError, IOError]
      def initialize(error)
        super("standard output: #{error.is_a?(SystemCallError) ? SystemCallError.new(nil, error.errno).message : error.message}")
      end
    end

    class << self
      # @param argv [Array<String>]
      # @return [Integer] exit status: the command's own; 2 for wrong usage; 1 where
      #   what it says cannot be written
      def start(argv)
        argv = argv.map { |word| word.dup.force_encoding(Encoding::UTF_8) } # a path, of any bytes
        check_engine
        status = answer(*argv)
        flush
        status
      rescue Unwritten => error
        $stderr.puts("frugal: #{error.message}")
        1
      rescue UsageError => error
        complain(error.message, COMMANDS.include?(argv.first) ? "frugal #{argv.first} --help" : "frugal --help")
      rescue Errno::EPIPE
        0 # the reader of our output, such as head, has seen enough
      end

      private

      def answer(name = nil, *rest)
        case name
        when nil, "-h", "--help" then show(overview)
        when "version", "-v", "-V", "--version" then show("frugal #{VERSION}\n")
        when "help" then help(rest.first)
        else dispatch(name, rest)
        end
      end

      # `frugal run` ignores an unknown engine, so that the program runs; the other commands refuse it.
      def check_engine
        engine = ENV["FRUGAL_ENGINE"].to_s
        return if ENGINES.include?(engine)

        raise UsageError, "FRUGAL_ENGINE=#{engine}: it is pure or c; unset it for the best that there is"
      end

      # At exit Ruby would pass over a disk that is full.
      def flush
        $stdout.flush
      rescue Errno::EPIPE
        raise
      rescue SystemCallError => error
        raise Unwritten, error
      end

      def dispatch(name, rest)
        command = command(name)
        return show(command::HELP) if %w[-h --help].include?(rest.first)

        command.run(rest)
      end

      def help(name)
        show(name && !%w[-h --help].include?(name) ? command(name)::HELP : overview)
      end

      def command(name)
        raise UsageError, unknown(name) unless COMMANDS.include?(name)

        require_relative "cli/#{name}"
        const_get(name.capitalize, false)
      end

      def unknown(name)
        return "unknown option #{name}: options come after the command" if name.start_with?("-")

        guess = COMMANDS.find { |command| command.start_with?(name) } || COMMANDS.min_by { |command| distance(name, command) }
        return "there is no command #{name}" if distance(name, guess) > 2 && !guess.start_with?(name)

        "there is no command #{name}. Did you mean #{guess}?"
      end

      # Levenshtein's. DidYouMean has one too, but may be switched off.
      def distance(one, other)
        one.each_char.with_index(1).inject((0..other.size).to_a) do |above, (char, row)|
          other.each_char.with_index.inject([row]) do |line, (other_char, column)|
            line << [line.last + 1, above[column + 1] + 1, above[column] + (char == other_char ? 0 : 1)].min
          end
        end.last
      end

      def overview
        lines = COMMANDS.map { |name| format("  %-9s %s", name, command(name)::SUMMARY) }
        <<~TEXT
          frugal #{VERSION}: Ruby programs without wasted system calls, exceptions and writes

          usage: frugal COMMAND [options]

          #{lines.join("\n")}
            help      what a command does: frugal help run
            version   which one this is

            frugal run -- rake          a build, faster; nothing to install in the project
            frugal compare -- rake      how much faster, and that it does the same

          FRUGAL=0 in the environment turns everything off; FRUGAL_VERBOSE=1 says what is on.

          next: frugal demo
        TEXT
      end

      def show(text)
        $stdout.write(text)
        0
      end

      def complain(message, help)
        $stderr.puts("frugal: #{message}", "frugal: next: #{help}")
        USAGE
      end
    end
  end
end
