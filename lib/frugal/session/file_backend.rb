# frozen_string_literal: true

require_relative "../entries"
require_relative "backend"
require_relative "sweeper"

module Frugal
  module Session
    # Keeps sessions in files: the backend of {Middleware}, whose interface is in {Backend}.
    class FileBackend
      include Backend

      # @return [Entries]
      attr_reader :entries

      # @param dir [String, #to_path]
      # @param lock_wait [Numeric] seconds to wait for another request; for the lock of one change it is always
      #   {Entries::LOCK_WAIT}
      # @param lifetime [Numeric] seconds; sessions that have not been used for that long are swept
      # @param max_bytes [Integer] of a session
      def initialize(dir, lock_wait: 5, lifetime: 0, max_bytes: 1 << 24)
        @entries = Entries.new(dir, max_bytes: max_bytes)
        @lock_wait = lock_wait
        @sweeper = Sweeper.new(@entries, lifetime)
        @max_bytes = max_bytes
      end

      def load(id, turn, &report)
        digest = Entries.digest(id)
        stored = loaded(id, digest, turn, &report)
        return stored unless stored == :gone

        repeatedly(@lock_wait + Entries::LOCK_WAIT, Unavailable) { loaded(id, digest, turn, &report) } || :deleted
      rescue SystemCallError => e
        raise Unavailable, e.message
      end

      def create(id, bytes, format, lifetime)
        check_size(bytes)
        saving do
          @entries.update(Entries.digest(id)) do |handle|
            handle.write(bytes, serializer: format, idle: lifetime.to_i)
            handle
          end
        end
      end

      def commit(stored, bytes, format, lifetime)
        check_size(bytes)
        saving do
          in_change(stored) do |record, handle|
            bytes, format = yield record.bytes, record.serializer if record.sequence != stored.sequence
            handle.write(bytes, serializer: format, idle: lifetime.to_i)
            handle
          end
        end
      end

      def delete(id)
        @entries.delete(Entries.digest(id))
      rescue SystemCallError => e
        raise Unavailable, e.message unless emptied(Entries.digest(id))
      end

      def release(stored) = stored.handle.close

      def quarantine(stored)
        handle = stored.handle
        handle.change(Entries::LOCK_WAIT) do
          handle.record&.sequence == stored.sequence && @entries.quarantine(handle.digest, :unreadable)
        end == true
      ensure
        release(stored)
      end

      private

      # Empties a file that cannot be removed: an empty file is not a session.
      #
      # @return [Boolean] whether the session has ended now
      def emptied(digest)
        @entries.update(digest, create: false) { @entries.empty(digest) } == true
      rescue SystemCallError
        false
      end

      # Yields again while the block returns :gone, because the file is replaced again and again.
      #
      # @return [Object] the result of the block
      # @raise [Error] of the class `error`, after some seconds
      def repeatedly(seconds, error)
        result = yield
        limit = nil
        while result == :gone
          now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
          limit ||= now + seconds
          raise error, "other processes replace it all the time" if now > limit

          result = yield
        end
        result
      end

      # @return [Stored, Symbol, nil] :gone if the file was replaced or deleted meanwhile
      def loaded(id, digest, turn, &report)
        handle = open(digest, &report) or return
        take_turn(handle, &report) if turn
        return :gone unless handle.load
        return :gone if !handle.record && damaged?(handle) && quarantine_damaged(handle, &report) == :gone

        stored = stored(handle, id)
      ensure
        handle&.close unless stored
      end

      # @return [Entries::Handle, nil]
      def open(digest)
        @entries.open(digest)
      rescue *Entries::UNUSABLE
        raise unless @entries.quarantine(digest, :unreadable)

        yield :quarantined, "a session's file cannot be opened"
        nil
      end

      def take_turn(handle)
        turn = handle.take_turn(@lock_wait)
        return if turn || turn.nil?

        yield :waited, "a request waited #{@lock_wait} s for another one of its session, and goes on beside it"
      end

      # @return [Stored, nil]
      def stored(handle, id)
        record = handle.record or return
        now = Process.clock_gettime(Process::CLOCK_REALTIME)
        mtime = handle.mtime
        return if record.expired?(now, mtime)

        handle.touch if old?(now - mtime, record.idle)
        Stored.new(id, record.bytes, record.serializer, record.idle, record.sequence, handle)
      end

      # Checks again under the lock: another process may be writing the file at this moment.
      def quarantine_damaged(handle)
        moved = handle.change(Entries::LOCK_WAIT) do
          damaged?(handle) && @entries.quarantine(handle.digest, handle.problem)
        end
        yield :quarantined, "a session's file is #{handle.problem}" if moved == true
        moved
      end

      def damaged?(handle) = !handle.record && handle.problem != :empty

      # The mtime is the time of the last use, in steps of an eighth of the session's lifetime. An mtime in the future
      # comes from a wrong clock.
      def old?(age, lifetime) = lifetime != 0 && age.abs > lifetime / 8.0

      # Yields the present record under the lock. The file may have been replaced since it was loaded.
      #
      # @return [Boolean] the result of the block; false if the session no longer exists
      def in_change(stored)
        handle = stored.handle
        repeatedly(Entries::LOCK_WAIT, Conflict) do
          handle = @entries.open(handle.digest) if handle.closed?
          next false unless handle

          handle.change(Entries::LOCK_WAIT, close: true) { handle.record ? yield(handle.record, handle) : false }
        end
      ensure
        handle&.close
      end

      # @yieldreturn [Entries::Handle, false, Symbol] of the session that was written
      # @return [Boolean]
      def saving
        saved = yield
        raise Conflict, "another process has locked it for more than #{Entries::LOCK_WAIT} s" if saved == :busy
        return false unless saved

        @sweeper.written(saved.digest, saved.record.sequence)
        true
      rescue SystemCallError, IOError => e # an IOError: the file may only be read
        raise Unavailable, e.message
      end

      def check_size(bytes)
        return if bytes.bytesize <= @max_bytes

        raise Unavailable, "it has #{bytes.bytesize} bytes, more than max_bytes: #{@max_bytes}"
      end
    end
  end
end
