# frozen_string_literal: true

module Frugal
  module Bench
    # A rival's process, seen from inside: it reads requests from standard input
    # and answers each, until there are no more (see guest_process.rb). The public
    # methods of a subclass are the requests.
    class Guest
      # What is not here, so that there is nothing to measure.
      class Missing < StandardError; end

      # Standard output is for answers; what others print goes to standard error.
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
      rescue Missing => error
        reply([:missing, error.message.lines.first.chomp])
      rescue StandardError, SystemStackError, NoMemoryError => error
        reply([:died, "#{error.class}: #{error.message.lines.first.to_s.chomp}"])
      end

      def reply(message)
        @answers.write(Marshal.dump(message))
        @answers.flush
      end
    end
  end
end
