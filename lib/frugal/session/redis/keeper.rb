# frozen_string_literal: true

module Frugal
  module Session
    class RedisBackend
      # Renews the turns of this process's requests. So turns can be short, and expire soon after their process was
      # killed. One thread renews all turns, and ends when there are none. The turn of a request that hangs is not
      # renewed after `limit` seconds.
      class Keeper
        # @param every [Numeric] seconds between two renewals
        # @param limit [Numeric] seconds that a turn lasts at most
        # @yieldparam turn [KeyedBackend::Turn]
        # @yieldparam left [Numeric] seconds
        def initialize(every, limit, &renewal)
          @every = every
          @limit = limit
          @renewal = renewal
          @lock = Thread::Mutex.new
          @held = []
        end

        # Renews the turn from now on, until it has no token.
        def hold(turn)
          @lock.synchronize do
            @held.clear unless @pid == Process.pid # after a fork, the turns belong to the parent process
            @pid = Process.pid
            @held << [turn, turn.token, now]
            @thread = start unless @thread&.alive?
          end
        rescue ThreadError # no more threads: the turn may expire early
          nil
        end

        private

        def start = Thread.new { nil while step }.tap { |thread| thread.report_on_exception = false }

        # @return [Boolean] whether there was a turn
        def step
          sleep(@every)
          held = @lock.synchronize do
            oldest = now - @limit
            @held.select! { |turn, token, since| turn.token == token && since > oldest }
            @thread = nil if @held.empty?
            @held.dup
          end
          held.each { |turn, _, since| renew(turn, since) }
          held.any?
        end

        def renew(turn, since)
          age = now - since
          @renewal.call(turn, @limit - age) if age >= @every && age < @limit
        rescue StandardError # the next step tries again, or the turn expires
          nil
        end

        def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      end
    end
  end
end
