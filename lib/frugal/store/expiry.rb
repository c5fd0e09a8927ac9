# frozen_string_literal: true

require_relative "../error"

module Frugal
  class Store
    # The expiry of roots. A deadline is an Integer, in milliseconds since the epoch, of the
    # wall clock, so it is valid in all processes, and after a restart of the system.
    module Expiry
      # Included by a table (see {Transaction}) whose roots can expire:
      #
      # [change(key, value)]        replaces the value and keeps the deadline, unlike +[]=+, which removes it
      # [expire(key, milliseconds)] sets how long the root lives from now on; nil: forever
      # [ttl(key)]                  how many milliseconds are left; nil if there is no such root or no deadline
      module Table; end

      # The root that contains the Hash of deadlines, in an engine that has no other place for
      # them. Other programs that read the file see it as an ordinary root.
      ROOT = "frugal:expiry"
      # The largest number of expired roots that a writing transaction removes.
      SWEPT = 10
      LONGEST = 10**14 # milliseconds, 3,000 years
      private_constant :LONGEST

      class << self
        # @return [Integer] milliseconds since the epoch
        def now = Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond)

        # @param seconds [Numeric, #to_f] more than 0; ActiveSupport's durations too
        # @return [Integer] rounded up
        # @raise [UsageError]
        def milliseconds(seconds)
          number = Float(seconds, exception: false) unless String === seconds
          number *= 1000 if number
          return number.ceil if number && number.positive? && number <= LONGEST

          raise UsageError, "expires_in: must be a number of seconds greater than 0, or nil (got #{seconds.inspect})"
        end
      end
    end
  end
end
