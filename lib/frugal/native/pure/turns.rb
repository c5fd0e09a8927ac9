# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The turn of an open file, which ext/frugal/core/turn/turn.h describes. Waiters have the same places as in C, but
      # ask repeatedly whether it is their turn, because a wait in the kernel could not end at a time limit.
      #
      # A class that includes this module has these methods:
      #
      # [lock_range(from, size)]    locks bytes of the file, and returns true; false if another open file has locked
      #                             one of them, nil if the system has no such locks
      # [unlock_range(from, size)]
      # [range_end(from, size)]     the end of the oldest lock in a range, or 0
      # [slot]                      the number of the turn
      module Turns
        SPAN = 1 << 38 # bytes of a slot
        SLOTS = 1 << 24
        PAUSES = [0.0003, 0.005].freeze # seconds; the first is doubled until it is the last
        private_constant :PAUSES

        # The time limit of a wait. The time begins again when the queue has moved, less than `most` times.
        class Limit
          def initialize(file, place, seconds, most)
            @file = file
            @place = place
            @seconds = seconds
            @most = most
            start
          end

          def passed?
            return false if now < @end

            before = @first
            @most -= 1
            start
            @most < 1 || @first == before
          end

          private

          def start
            @first = @file.first_before(@place)
            @end = now + @seconds
          end

          def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        end
        private_constant :Limit

        def try_turn = lock_range(start, present + 1)

        def wait_turn(seconds, most)
          taken = false
          place = take_place or return
          limit = seconds && Limit.new(self, place, seconds, most)
          pause, longest = PAUSES
          until (taken = lock_range(start, place + 1)) || limit&.passed?
            sleep(pause)
            pause = [pause * 2, longest].min
          end
          taken
        ensure
          end_turn unless taken
        end

        def end_turn
          unlock_range(start, SPAN)
          nil
        end

        # @return [Integer] a number that identifies the first waiter or holder before a place; 0 if there is none
        def first_before(place) = range_end(start, place)

        private

        def slot = 0

        def start = slot * SPAN

        # @return [Integer, nil] nil if the system has no such locks
        def take_place
          place = present
          step = 1
          until (taken = lock_range(start + place, 1))
            return if taken.nil?

            place += step
            step *= 2
            return SPAN - 1 if place >= SPAN
          end
          place
        end

        def present = 1 + (Process.clock_gettime(Process::CLOCK_MONOTONIC, :microsecond) % (SPAN - 2))

        def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      end
    end
  end
end
