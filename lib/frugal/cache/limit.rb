# frozen_string_literal: true

module Frugal
  module Cache
    # Keeps the files of a {Directory} near a number of bytes. Whenever a process has written a small part of that
    # number, it measures one of the 256 partitions; if the cache is too large, the oldest entries of that partition are
    # deleted. Keys are distributed evenly, so each partition is shrunk in the same proportion. The files may exceed the
    # limit by a quarter, and by more until all partitions have been measured once.
    #
    # *Cost*: about four stats for each write, in steps of one partition.
    class Limit
      PARTITIONS = 256
      STEPS = 4 * PARTITIONS # measurements for as many written bytes as the limit
      SHARE = 0.75 # of the limit, to which partitions are shrunk
      private_constant :PARTITIONS, :STEPS, :SHARE

      # @param directory [Directory]
      # @param bytes [Integer]
      def initialize(directory, bytes)
        @directory = directory
        @bytes = bytes
        @sizes = {}
        @next = rand(PARTITIONS)
        @left = 0
        @mutex = Mutex.new
      end

      # Counts written bytes, and measures a partition when it is time. Does not wait for a thread that is measuring.
      def wrote(bytes)
        @left -= bytes
        return if @left.positive? || !@mutex.try_lock

        begin
          measure
        ensure
          @mutex.unlock
        end
      end

      # @return [Integer] bytes of all files, extrapolated from the measured partitions
      def estimate = @sizes.empty? ? 0 : @sizes.values.sum * PARTITIONS / @sizes.size

      private

      def measure
        number = @next
        @next = (number + 1) % PARTITIONS
        @left = @bytes / STEPS
        @sizes[number] = @directory.shrink_partition(number) do |present|
          @sizes[number] = present
          total = estimate
          total > @bytes ? (present * SHARE * @bytes / total).floor : present
        end
      end
    end
  end
end
