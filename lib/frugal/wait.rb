# frozen_string_literal: true

module Frugal
  # Waits for the two locks of an open file of the engine: in the kernel (C) or in small steps (Java, Ruby), with
  # or without a time limit. An interrupt (`Timeout`, `Thread#kill`, Ctrl-C) ends a wait.
  #
  # - the *turn* is fair: first come, first served. `ext/frugal/core/turn/turn.h` describes how.
  # - the *lock* (flock(2)) is held for microseconds, and other programs use it, too.
  #
  # Under a fiber scheduler a separate thread waits, so that the other fibers continue: one of them may have the
  # turn.
  #
  # @api private
  module Wait
    # A wait for a turn may take this many times `seconds` while the queue moves.
    MOST = 12

    class << self
      # @param file [Object] with `try_turn` and `wait_turn`
      # @param seconds [Numeric, nil] how long one owner may keep the turn, since a queue that moves does not hang;
      #   nil to wait without a limit
      # @return [Boolean, nil] whether this process has the turn now; nil if the file system does not support the
      #   lock
      def for_turn(file, seconds)
        taken = file.try_turn
        return taken unless taken == false && (seconds.nil? || seconds.positive?)

        unscheduled { file.wait_turn(seconds, MOST) }
      end

      # @param file [Object] with `try_lock` and `wait_lock`
      # @param seconds [Numeric, nil]
      # @return [Boolean] whether this process has the lock now
      def for_lock(file, seconds)
        return true if file.try_lock
        return false unless seconds.nil? || seconds.positive?

        unscheduled { file.wait_lock(seconds) }
      end

      private

      def unscheduled(&wait)
        return yield unless Fiber.respond_to?(:current_scheduler) && Fiber.current_scheduler

        begin
          thread = Thread.new(&wait)
          thread.report_on_exception = false
          thread.value
        ensure
          thread&.kill
        end
      end
    end
  end
end
