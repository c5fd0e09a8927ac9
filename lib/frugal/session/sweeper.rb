# frozen_string_literal: true

require_relative "../entries/sweep"

module Frugal
  module Session
    # Deletes expired sessions. After one of {EVERY} writes a thread checks {FILES} files and ends, so requests do not
    # wait for it. The session's digest and sequence choose the write, not a count of the process: many processes that
    # end after a few writes sweep as often as one long process.
    class Sweeper
      EVERY = 64
      FILES = 128
      PARTITIONS = 8 # to list at most; with few sessions, each partition has few files

      def initialize(entries, lifetime)
        @sweep = Entries::Sweep.new(entries, younger: lifetime)
        @lock = Thread::Mutex.new
      end

      # @param digest [String] of the session
      # @param sequence [Integer] the number of writes of its record
      # @return [Thread, nil] the thread that sweeps; nil if none was started
      def written(digest, sequence)
        return unless ((digest[0, 2].hex + sequence) % EVERY).zero?

        Thread.new { step }.tap { |thread| thread.report_on_exception = false }
      rescue ThreadError # no more threads: a later write sweeps
        nil
      end

      private

      def step
        return unless @lock.try_lock

        begin
          Session.count(:swept, @sweep.step(FILES, partitions: PARTITIONS))
        ensure
          @lock.unlock
        end
      end
    end
  end
end
