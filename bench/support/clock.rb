# frozen_string_literal: true

module Frugal
  module Bench
    # Measures times in this process.
    module Clock
      # @return [Float] seconds that the block takes
      def self.seconds
        started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        yield
        Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
      end

      # @return [Float] seconds of processor time that all threads take during the block
      def self.cpu_seconds
        started = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
        yield
        Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - started
      end
    end
  end
end
