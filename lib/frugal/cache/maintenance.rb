# frozen_string_literal: true

require_relative "../entries/sweep"

module Frugal
  module Cache
    # The methods that list the files of a {Directory}. They read one partition after the other, so the memory they need
    # depends on the size of a partition. Readers and writers only wait for the entry that is being deleted.
    module Maintenance
      NAME = /\A\h{62}\z/
      PARTITIONS = 256
      private_constant :NAME, :PARTITIONS

      # Deletes all entries, and no other files in the directory. *Cost*: one call for each entry.
      def clear
        each_digest { |digest| @entries.unlink(digest) }
        nil
      end

      # Deletes expired entries, and the unfinished files of killed processes.
      #
      # @return [Integer] how many files were deleted
      def cleanup = Entries::Sweep.new(@entries).all

      # Deletes the entries whose key meets a condition. *Cost*: each file is read.
      #
      # @yieldparam key [String]
      # @return [Integer] how many were deleted
      def delete_if
        count = 0
        each_digest do |digest|
          record = @entries.read(digest)
          key = record && @content.key(record)
          count += 1 if key && yield(key) && @entries.delete(digest)
        end
        count
      end

      # *Cost*: one stat for each file.
      #
      # @return [Integer] bytes of all files
      def size = PARTITIONS.times.sum { |number| measure(number).sum { |_, size| size } }

      # Deletes entries, the oldest first, until the files have `target` bytes.
      #
      # @param seconds [Numeric, nil] after which it stops
      # @return [Integer] bytes of the files that are left
      def prune(target, seconds = nil)
        limit = seconds && (now + seconds)
        total = size
        return total if total <= target

        last = last_second(total - target)
        PARTITIONS.times do |number|
          total -= shrink(number, last) { |freed| total - freed > target && (!limit || now < limit) }
        end
        total
      end

      # Shrinks one partition to a number of bytes. *Cost*: one stat for each of its files.
      #
      # @param number [Integer] 0 to 255
      # @yieldparam size [Integer] bytes of the partition
      # @yieldreturn [Integer] bytes that it should have
      # @return [Integer] bytes that it has now
      def shrink_partition(number)
        files = measure(number)
        size = files.sum { |_, bytes| bytes }
        target = yield(size)
        size > target ? size - shrink(number, nil, files) { |freed| size - freed > target } : size
      end

      private

      def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

      def each_digest(&block)
        PARTITIONS.times { |number| digests(number).each(&block) }
      end

      def digests(number)
        partition = format("%02x", number)
        names = Native.engine.children("#{@path}/#{partition}") || []
        names.grep(NAME).map { |name| partition + name }
      end

      # @return [Array<Array(String, Integer, Time)>] digest, bytes, time of the last write
      def measure(number)
        digests = digests(number)
        stats = Native.engine.stats(digests.map { |digest| @entries.path(digest) })
        digests.zip(stats).filter_map { |digest, stat| [digest, stat.size, stat.mtime] if stat }
      end

      # @return [Integer] the first second by whose end at least that many bytes had been written
      def last_second(bytes)
        seconds = Hash.new(0)
        PARTITIONS.times { |number| measure(number).each { |_, size, time| seconds[time.to_i] += size } }
        seconds.sort.each do |second, size|
          bytes -= size
          return second if bytes <= 0
        end
        seconds.keys.max || 0
      end

      # Deletes files of a partition, the oldest first, while the block returns true.
      #
      # @return [Integer] bytes of the deleted files
      def shrink(number, last, files = measure(number))
        freed = 0
        files.sort_by { |_, _, time| time }.each do |digest, size, time|
          break if (last && time.to_i > last) || !yield(freed)

          freed += size if @entries.unlink(digest)
        end
        freed
      end
    end
  end
end
