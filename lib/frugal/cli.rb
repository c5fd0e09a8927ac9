# frozen_string_literal: true

require_relative "loader"
require_relative "version"
require_relative "error"
require_relative "cli/complaint"
require_relative "cli/definition"

module Frugal
  # The command line. Each command is a file in `cli/` that is loaded when the command is called; its help, its
  # options and its completions are defined in `cli/definitions/`.
  #
  #   exit Frugal::CLI.start(ARGV)
  module CLI
    # In the order in which a new user needs them.
    COMMANDS = %w[demo run compare profile budget doctor walk store bench completions].freeze
    # Commands of one line, without a file.
    BUILT_IN = { "help" => "show what a command does: frugal help run",
                 "version" => "show the version of frugal" }.freeze
    # The environment variables that the help names.
    ENVIRONMENT = { "FRUGAL=0" => "switches everything off",
                    "FRUGAL_VERBOSE=1" => "reports on stderr which drop-ins are on, and why others are not",
                    "FRUGAL_ENGINE=pure" => "uses plain Ruby instead of the compiled library" }.freeze
    ENGINES = ["", "c", "pure"].freeze
    HELP_OPTIONS = %w[-h --help].freeze
    private_constant :ENGINES, :HELP_OPTIONS

    class << self
      # @param argv [Array<String>]
      # @return [Integer] exit status: that of the command; 2 for wrong usage; 1 if standard output cannot be written
      def start(argv)
        argv = argv.map { |word| word.dup.force_encoding(Encoding::UTF_8) } # a path, of any bytes
        Complaint.guard((COMMANDS & argv.first(1)).first) do
          check_engine
          answer(*argv)
        end
      end

      # @return [String] the text of `frugal --help`
      def overview
        summaries = COMMANDS.to_h { |name| [name, Definition[name].summary] }.merge(BUILT_IN)
        lines = summaries.map { |name, summary| format("  %-12s %s", name, summary) }
        <<~TEXT
          frugal #{VERSION}: Ruby programs without wasted system calls, exceptions and writes

          usage: frugal COMMAND [options]

          #{lines.join("\n")}

            frugal run -- rake          a faster build; nothing to install in the project
            frugal compare -- rake      how much faster, and whether the results are the same

          FRUGAL=0 in the environment switches everything off; FRUGAL_VERBOSE=1 reports what is on.

          next: frugal demo
        TEXT
      end

      private

      def answer(name = nil, *rest)
        case name
        when nil, *HELP_OPTIONS then show(overview)
        when "version", "-v", "-V", "--version" then version(rest)
        when "help" then help(rest.first)
        else dispatch(name, rest)
        end
      end

      def version(rest)
        return show("frugal #{VERSION}\n") if rest.empty?
        raise UsageError, "unexpected argument: #{rest.first}" unless rest == ["--json"]

        require "json"
        show("#{JSON.generate(version: VERSION)}\n")
      end

      # A program that requires frugal runs with an unknown engine, and prints a warning. The commands refuse it.
      def check_engine
        engine = ENV["FRUGAL_ENGINE"].to_s
        return if ENGINES.include?(engine)

        raise UsageError, "FRUGAL_ENGINE must be c or pure (got #{engine}); unset it to use the best available engine"
      end

      def dispatch(name, rest)
        check_command(name)
        return help(name) if HELP_OPTIONS.include?(rest.first)

        require_relative "cli/#{name}"
        const_get(name.capitalize, false).run(rest)
      end

      def help(name)
        return show(overview) if name.nil? || HELP_OPTIONS.include?(name) || BUILT_IN.key?(name)

        check_command(name)
        show(Definition[name].help)
      end

      def check_command(name)
        raise UsageError, unknown(name) unless COMMANDS.include?(name)
      end

      def unknown(name)
        return "unknown option: #{name} (options come after the command)" if name.start_with?("-")

        guess = COMMANDS.find { |command| command.start_with?(name) } || correct(name)
        "unknown command: #{name}#{". Did you mean #{guess}?" if guess}"
      end

      def correct(name)
        require "did_you_mean/spell_checker" # works even if DidYouMean itself is switched off
        DidYouMean::SpellChecker.new(dictionary: COMMANDS).correct(name.scrub).first
      end

      def show(text)
        $stdout.write(text)
        0
      end
    end
  end
end
