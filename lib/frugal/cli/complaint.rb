# frozen_string_literal: true

require_relative "../error"
require_relative "arguments"

module Frugal
  module CLI
    # Standard output cannot be written, for example because the disk is full.
    class Unwritten < Error
      # @param error [SystemCallError, IOError]
      def initialize(error)
        super("standard output: #{Complaint.reason(error)}")
      end
    end

    # The failure of a command, with its own exit status.
    class Failure < Error
      # @return [Array<String>] the last one may be the next step
      attr_reader :lines
      # @return [Integer]
      attr_reader :status

      # @param lines [Array<String>]
      # @param status [Integer]
      def initialize(*lines, status: 1)
        super(lines.join("\n"))
        @lines = lines
        @status = status
      end
    end

    # Error messages on stderr, and the exit status that belongs to each. All commands use it.
    #
    #   exit Complaint.guard("walk") { Walk.run(argv) }
    module Complaint
      WRONG_USAGE = 2
      INTERRUPTED = 130

      class << self
        # Runs the block, prints the help if the block throws :help, and reports its errors.
        #
        # @param command [String, nil] its name comes before each message
        # @return [Integer] exit status: the value of the block, or the status for its error
        def guard(command = nil, &block)
          run(&block).tap { flush }
        rescue Errno::EPIPE
          0 # the reader of the output, such as head, has ended
        rescue UsageError, Arguments::ParseError => e
          help = ["frugal", command, "--help"].compact.join(" ")
          print(words(e), "next: #{help}", status: WRONG_USAGE, command: command)
        rescue Error, SystemCallError, Interrupt => e
          e = Unwritten.new(e) if e.is_a?(SystemCallError) && e.message.end_with?(" - <STDOUT>")
          report(e, command)
        end

        # @param lines [Array<String>] of any bytes; the last one may be the next step
        # @param status [Integer]
        # @param command [String, nil] its name comes before each line except the next step
        # @return [Integer] the status
        def print(*lines, status:, command: nil)
          name = "#{command}: " if command
          lines.flat_map { |line| line.b.lines(chomp: true).push(*("" if line.empty?)) }.each do |line|
            $stderr.puts("frugal: #{name unless line.start_with?("next:")}#{line}".b.rstrip)
          end
          status
        end

        # @param error [OptionParser::ParseError, Error] possibly with a suggestion: `"\nDid you mean?  json"`
        # @return [String] its message in one line, with a suggestion such as `". Did you mean --json?"`; the bytes of
        #   the argument are kept
        def words(error)
          words = error.message.b.sub(/\s+Did you mean\?\s+(\S+).*/m) do
            ". Did you mean #{$1.size == 1 ? "-" : "--"}#{$1}?"
          end
          words.force_encoding(Encoding::UTF_8)
        end

        # @param error [SystemCallError, IOError]
        # @return [String] the message of the system, without Ruby's additions
        def reason(error)
          error.is_a?(SystemCallError) ? SystemCallError.new(nil, error.errno).message : error.message
        end

        private

        def run
          definition = catch(:help) { return yield }
          $stdout.write(definition.help)
          0
        end

        # At exit, Ruby would ignore a write error such as a full disk.
        def flush
          $stdout.flush
        rescue Errno::EPIPE
          raise
        rescue SystemCallError => e
          raise Unwritten, e
        end

        def report(error, command)
          case error
          when Failure then print(*error.lines, status: error.status)
          when Unwritten then print(error.message, status: 1)
          when Interrupt then print("interrupted", status: INTERRUPTED)
          when SystemCallError then print(path_first(error), status: 1, command: command)
          else print(error.message, status: 1, command: command)
          end
        end

        # "No such file or directory @ rb_sysopen - a" → "a: No such file or directory"
        def path_first(error) = error.message.b.sub(/\A(.*?)(?: @ \w+)? - (.*)\z/m, "\\2: \\1")
      end
    end
  end
end
