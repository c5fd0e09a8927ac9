# frozen_string_literal: true

require_relative "clock"
require_relative "marked_trace"

module Frugal
  module Bench
    # The main loop of a process with the code of one rival: reads requests from standard
    # input and answers each (see worker_process.rb). The requests are calls of the public
    # methods of a subclass.
    class Worker
      # A library is missing, so there is nothing to measure.
      class Missing < StandardError; end

      # Reserves standard output for the answers; all other output goes to standard error.
      def initialize
        @answers = $stdout.dup.binmode
        $stdout.reopen($stderr)
      end

      # @return [void]
      def serve
        loop do
          request = Marshal.load($stdin)
          answer(*request)
        end
      rescue EOFError
        nil
      end

      private

      # Runs batches of an operation.
      #
      # @param seconds [Float] the minimum of all batches
      # @param size [Integer] operations of a batch
      # @yieldreturn [Float] seconds of a batch
      # @return [Float] seconds of one operation
      def slice(seconds, size)
        spent = 0.0
        operations = 0
        while spent < seconds
          spent += yield
          operations += size
        end
        spent / operations
      end

      # Marks the system calls of the block in the trace of strace.
      #
      # @return [Object] the value of the block
      def marked(name)
        GC.disable # a finalizer may close a file, and that call would count
        File.exist?(MarkedTrace.mark(name))
        value = yield
        File.exist?(MarkedTrace.mark(MarkedTrace::END_MARK))
        GC.enable
        value
      end

      # @return [Integer] exceptions that the block raises
      def raises(&block)
        count = 0
        TracePoint.new(:raise) { count += 1 }.enable(&block)
        count
      end

      def answer(name, *arguments)
        raise @failure if @failure

        reply([:done, public_send(name, *arguments)])
      rescue Missing => e
        reply([:missing, e.message.lines.first.chomp])
      rescue StandardError, SystemStackError, NoMemoryError => e
        reply([:died, "#{e.class}: #{e.message.lines.first.to_s.chomp}"])
      end

      def reply(message)
        @answers.write(Marshal.dump(message))
        @answers.flush
      end
    end
  end
end
