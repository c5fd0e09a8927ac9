# frozen_string_literal: true

module Frugal
  module Bench
    # Times of what runs in this process, or is waited for.
    module Clock
      # @return [Float] seconds that the block takes
      def self.seconds
        started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        yield
        Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
      end
    end
  end
end
