# frozen_string_literal: true

module Frugal
  class Entries
    # Waits for a lock by asking for it again and again, with growing pauses: so a wait has an end, and an interrupt,
    # a fiber scheduler and other threads work meanwhile.
    module Wait
      FIRST = 0.0005 # seconds
      LONGEST = 0.005
      private_constant :FIRST, :LONGEST

      # Waits for a lock that was not free.
      #
      # @yieldreturn [Boolean, nil] false to be asked again
      # @return [Boolean, nil] the block's last answer; false if there was no time to ask
      def self.for(seconds)
        answer = false
        return answer unless seconds.positive?

        limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
        pause = FIRST
        while answer == false && Process.clock_gettime(Process::CLOCK_MONOTONIC) < limit
          sleep(pause * (0.5 + rand)) # so that processes that wait together do not ask together
          pause = [pause * 1.5, LONGEST].min
          answer = yield
        end
        answer
      end
    end
  end
end
