# frozen_string_literal: true

module Frugal
  module Bench
    # Why a rival gave up, such as the name of an exception.
    class Died < StandardError; end
    # Why there is nothing to measure here.
    class Missing < StandardError; end

    # One process with one rival's code (a script that ends in <tt>Guest#serve</tt>),
    # for as long as the benchmark runs.
    #
    #   process = GuestProcess.new(["ruby", "guest.rb", "stock"], errors: "scratch/errors")
    #   process.call(:run, "read", 100)    # => 0.0013
    class GuestProcess
      # @param command [Array<String>]
      # @param errors [String] a file for what it says on standard error
      # @param env [Hash{String => String, nil}]
      def initialize(command, errors:, env: {})
        @errors = errors
        theirs, @requests = IO.pipe(binmode: true)
        @answers, ours = IO.pipe(binmode: true)
        @pid = spawn({ "RUBYOPT" => nil, "FRUGAL" => nil, **env }, *command, in: theirs, out: ours, err: errors)
        [theirs, ours].each(&:close)
      end

      # @return [Object]
      # @raise [Died]
      # @raise [Missing]
      def call(*request)
        ask(*request)
        answer
      end

      # The first half of a call, so that several processes can work at a time.
      #
      # @return [void]
      # @raise [Died]
      def ask(*request)
        @requests.write(Marshal.dump(request))
      rescue Errno::EPIPE
        died
      end

      # @return [Object] to what was asked
      # @raise [Died]
      # @raise [Missing]
      def answer
        state, value = Marshal.load(@answers)
        case state
        when :missing then raise Missing, value
        when :died then raise Died, value
        end
        value
      rescue EOFError
        died
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

      private

      def died
        stop
        raise Died, File.foreach(@errors, chomp: true).first || "without a word"
      end
    end
  end
end
