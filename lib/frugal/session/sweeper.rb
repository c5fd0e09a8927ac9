# frozen_string_literal: true

require_relative "../entries/sweep"

module Frugal
  module Session
    # Deletes expired sessions. After every {EVERY} writes of this process a thread looks at {FILES} files and ends,
    # so that no request waits for it, and a process that was forked needs no care.
    class Sweeper
      EVERY = 64
      FILES = 128

      def initialize(entries, lifetime)
        @sweep = Entries::Sweep.new(entries, younger: lifetime)
        @lock = Thread::Mutex.new
        @writes = 0
      end

      # @return [Thread, nil] the thread, if it is time for one
      def written
        return if (@writes += 1) < EVERY

        @writes = 0
        Thread.new { step }.tap { |thread| thread.report_on_exception = false }
      rescue ThreadError # no more threads: later
        nil
      end

      private

      def step
        return unless @lock.try_lock

        begin
          Session.count(:swept, @sweep.step(FILES))
        ensure
          @lock.unlock
        end
      end
    end
  end
end
