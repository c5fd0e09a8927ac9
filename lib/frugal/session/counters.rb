# frozen_string_literal: true

module Frugal
  module Session
    # Counts the events of all threads, and decides which events are logged.
    class Counters
      NAMES = %i[quarantined not_saved merged waited swept].freeze
      EVERY = 60 # seconds between two messages of one kind
      private_constant :NAMES, :EVERY

      def initialize
        @lock = Thread::Mutex.new
        @counts = NAMES.to_h { |name| [name, 0] }
        @logged = {}
      end

      def to_h = @lock.synchronize { @counts.dup }

      # @return [Boolean] whether to log this event: the first of its kind in a minute
      def add(name, by)
        @lock.synchronize do
          @counts[name] += by
          now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
          last = @logged[name]
          next false if last && now - last < EVERY

          @logged[name] = now
          true
        end
      end
    end
  end
end
