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

      if RUBY_ENGINE == "jruby"
        require "java"
        THREADS = java.lang.management.ManagementFactory.getThreadMXBean
        private_constant :THREADS

        # @return [Float] seconds of processor time that this thread takes during the block
        def self.thread_seconds
          started = THREADS.getCurrentThreadCpuTime
          yield
          (THREADS.getCurrentThreadCpuTime - started) / 1e9
        end
      end
    end
  end
end
