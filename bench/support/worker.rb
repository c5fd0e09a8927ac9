# frozen_string_literal: true

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
