# frozen_string_literal: true

module Frugal
  module Bench
    # A rival failed. The message is the reason, such as the name of an exception.
    class Died < StandardError; end
    # Something that is needed to measure a rival is missing. The message says what.
    class Missing < StandardError; end

    # A process with the code of one rival (a script that calls `Worker#serve`). It lives as
    # long as the benchmark.
    #
    #   process = WorkerProcess.new(["ruby", "worker.rb", "stock"], errors: "scratch/errors")
    #   process.call(:run, "read", 100)    # => 0.0013
    class WorkerProcess
      # @param command [Array<String>]
      # @param errors [String] a file for its standard error
      # @param env [Hash{String => String, nil}]
      def initialize(command, errors:, env: {})
        @errors = errors
        input, @requests = IO.pipe(binmode: true)
        @answers, output = IO.pipe(binmode: true)
        @pid = spawn({ "RUBYOPT" => nil, "FRUGAL" => nil, **env }, *command, in: input, out: output, err: errors)
        [input, output].each(&:close)
      end

      # Calls a method of the worker.
      #
      # @return [Object] its value
      # @raise [Died]
      # @raise [Missing]
      def call(*request)
        send_request(*request)
        answer
      end

      # The first half of a call. The caller can send requests to several processes before it
      # reads the answers.
      #
      # @return [void]
      # @raise [Died]
      def send_request(*request)
        @requests.write(Marshal.dump(request))
      rescue Errno::EPIPE
        died
      end

      # @return [Object] the answer to the last request
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

      # @return [Boolean] whether the process has ended
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
        raise Died, File.foreach(@errors, chomp: true).first || "it ended without a message"
      end
    end
  end
end
