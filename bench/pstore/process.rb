# frozen_string_literal: true

require "rbconfig"

module Frugal
  module PStoreBench
    # Why a rival gave up, such as the name of an exception.
    class Died < StandardError; end
    # Why there is nothing to measure here.
    class Missing < StandardError; end

    # One Ruby with one rival's code (guest.rb), for as long as the benchmark runs.
    #
    #   process = GuestProcess.new(%w[stock 0.3.0], load_path: ["pstore-0.3.0/lib"], errors: "scratch/errors")
    #   process.call(:run, "read", 100)    # => 0.0013
    class GuestProcess
      SCRIPT = File.join(__dir__, "guest.rb")

      # @param arguments [Array<String>] of guest.rb
      # @param load_path [Array<String>]
      # @param errors [String] a file for what it says on standard error
      # @param prefix [Array<String>] what comes before the command
      def initialize(arguments, load_path:, errors:, prefix: [])
        @errors = errors
        theirs, @requests = IO.pipe(binmode: true)
        @answers, ours = IO.pipe(binmode: true)
        options = load_path.flat_map { |folder| ["-I", folder] }
        options << "--disable=gems" unless arguments.first == "store" # which may need an installed one
        @pid = spawn({ "RUBYOPT" => nil, "FRUGAL" => nil }, *prefix, RbConfig.ruby, *options, SCRIPT, *arguments,
                     in: theirs, out: ours, err: errors)
        [theirs, ours].each(&:close)
      end

      # @return [Object]
      # @raise [Died]
      # @raise [Missing]
      def call(*request)
        @requests.write(Marshal.dump(request))
        state, value = Marshal.load(@answers)
        case state
        when :missing then raise Missing, value
        when :died then raise Died, value
        end
        value
      rescue EOFError, Errno::EPIPE
        stop
        raise Died, File.foreach(@errors, chomp: true).first || "without a word"
      end

      # @return [Boolean] whether it takes no more requests
      def stopped? = @pid.nil?

      # @return [void]
      def stop
        return if stopped?

        @requests.close
        Process.wait(@pid)
        @pid = nil
      end
    end
  end
end
