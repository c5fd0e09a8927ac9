# frozen_string_literal: true

require_relative "../wait"
require_relative "format"
require_relative "writing"

module Frugal
  class Entries
    # One entry's open file. It has two locks, which the system releases when the file is closed or the process ends:
    #
    # - The *turn* (a lock of the open file, fcntl(2)) orders long requests: a request may keep it from its first read
    #   to its last write. Only the order depends on it.
    # - The *lock* (flock(2)) is held for one {#change}, which writes, replaces or deletes the file, so no change is
    #   lost.
    #
    # Before a file is replaced or deleted, its head is marked as "retired". A process that has opened the file before
    # sees the mark under the lock, and then checks whether the file still has a name.
    class Handle
      include Writing

      # @return [String] hexadecimal SHA-256 of the key
      attr_reader :digest

      # @return [Record, nil] as of the last {#load} or {#change}
      attr_reader :record

      # @api private
      def initialize(entries, digest, file)
        @entries = entries
        @digest = digest
        @file = file
      end

      # @return [Symbol, nil] why there is no record: `:empty` (never written), `:foreign` (not an entry of this key),
      #   `:damaged`, `:huge`, `:special` (not a regular file)
      def problem = (@file.problem unless @record)

      # @return [Float] seconds since the epoch, as of the last {#load} or {#touch}
      def mtime = @touched || @file.mtime

      # @param seconds [Numeric] how long to wait for the turn
      # @return [Boolean, nil] whether this handle has the turn now; nil if the system has no such lock
      def take_turn(seconds)
        @has_turn = Wait.for_turn(@file, seconds)
      end

      # Reads the file. *Cost*: fstat, read. Both are repeated while the file is being written, finally under the lock,
      # and once more if a process was killed while it wrote.
      #
      # @return [Boolean] false if the file was deleted or replaced meanwhile, and must be opened again
      def load
        @touched = nil
        @record = @file.load(@digest, @entries.largest_file, @locked ? 1 : READS, Record)
        return true if @record

        load_locked if @file.problem == :changing
        @file.problem != :unlinked
      end

      # Sets the mtime to the present time. A file that cannot be touched keeps its mtime.
      def touch
        @file.touch
        @touched = Process.clock_gettime(Process::CLOCK_REALTIME)
      rescue SystemCallError
        nil
      end

      # Takes the lock and yields. The block may call {#write} or {#delete}; other handles cannot do so meanwhile.
      # *Cost*: flock, and a read that shows whether the file has changed since {#load}.
      #
      # @param seconds [Numeric] how long to wait for the lock
      # @param close [Boolean] whether to close the file at the end, which is cheaper than unlocking it first
      # @yieldparam changed [Boolean] whether {#record} has changed
      # @return [Object] the result of the block; :gone if the file was deleted or replaced, :busy if the lock was
      #   not free
      # @raise [SystemCallError]
      def change(seconds, close: false)
        return :busy unless Wait.for_lock(@file, seconds)

        @locked = true
        @written = false
        before = @record&.sequence
        return :gone unless current?

        yield @record&.sequence != before
      ensure
        close ? self.close : unlock
      end

      # Saves a payload, at most once in a {#change}. *Cost*: one write if it fits into its slot; otherwise a new file
      # replaces this one.
      #
      # @raise [SystemCallError] after which the entry is unchanged
      def write(bytes, serializer: 0, expires_at: 0, idle: 0)
        raise UsageError, "an entry is written in a change, and once" unless @locked && !@written

        last = @record
        written = Record.new(bytes, serializer, expires_at, idle, (last&.sequence || 0) + 1, last ? 1 - last.slot : 0)
        if problem == :empty then write_first(written)
        elsif last && Format.room?(@file.head, bytes.bytesize) then write_slot(written)
        else replace(written)
        end
        @record = written
        @written = true
        nil
      end

      # Deletes the file. May only be called in {#change}.
      #
      # @return [Boolean] whether there was a file
      def delete
        mark_as_deleted if @record && writable?
        @entries.unlink(@digest)
      end

      # Closes the file, which releases both locks. May be called again.
      def close
        @locked = false
        @file.close
      end

      def closed? = @file.closed?
      def writable? = @file.writable?

      private

      # Reads the file under the lock, or without it if the lock is not free in time.
      def load_locked
        locked = Wait.for_lock(@file, LOCK_WAIT)
        @record = @file.load(@digest, @entries.largest_file, 1, Record)
      ensure
        @file.unlock if locked
      end

      # Reads the record again, under the lock. Another process may have written, replaced or deleted the file.
      #
      # @return [Boolean] false if the file was deleted or replaced
      def current?
        found = @record && @file.reload(@digest, Record)
        return load unless found

        @record = found
        true
      end

      def unlock
        return unless @locked

        @locked = false
        @file.unlock unless @file.closed?
      end
    end
  end
end
