# frozen_string_literal: true

require_relative "../entries/sweep"

module Frugal
  module Session
    # Deletes expired sessions. After one of {EVERY} writes a thread looks at {FILES} files and ends, so that no request
    # waits for it. The session decides after which one, and not the process: those that end after a few writes sweep
    # as often, all together, as one that stays.
    class Sweeper
      EVERY = 64
      FILES = 128
      PARTITIONS = 8 # a folder of few sessions has few files in each

      def initialize(entries, lifetime)
        @sweep = Entries::Sweep.new(entries, younger: lifetime)
        @lock = Thread::Mutex.new
      end

      # @param digest [String] of the session
      # @param sequence [Integer] of its record: counts its writes
      # @return [Thread, nil] the thread, if it is time for one
      def written(digest, sequence)
        return unless ((digest[0, 2].hex + sequence) % EVERY).zero?

        Thread.new { step }.tap { |thread| thread.report_on_exception = false }
      rescue ThreadError # no more threads: later
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
