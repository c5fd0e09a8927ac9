# frozen_string_literal: true

require_relative "journal/boot"
require_relative "journal/file_operations"
require_relative "journal/record"
require_relative "journal/open_journals"

module Frugal
  class Store
    # The file beside a store with durability +:durable+. A transaction writes all bytes of the store to one of the
    # journal's two slots and syncs the journal; then it writes to the store's own file, in place and unsynced. After a
    # power cut {Recovery} restores the store's file from the record that was synced last. docs/adr/0007 explains why
    # this is safe.
    #
    # The slots alternate, so the last record stays complete while the next record is written.
    # Only a process that has locked the store's file writes to the journal.
    #
    # *Cost* of a record: fstat, pwrite, fdatasync, and two pwrite calls that are not synced.
    # For the first record, or a record that is larger than a slot, about 10 more, 4 of them syncs.
    class Journal
      SUFFIX = ".frugal-journal"
      SMALLEST = 4_096 # bytes of a slot: two adjacent writes of this size are one write to the disk
      NEVER = 2**63 # ns: later than any mtime
      EMPTY = ("\0" * Record::BYTES_AT).freeze
      private_constant :SMALLEST, :NEVER, :EMPTY

      # @return [String] the store's file, with symbolic links resolved
      attr_reader :target

      # @param path [String] of the store
      def initialize(path)
        @path = path
        @io = @target = nil
        @sequence = 0 # of the last valid record
      end

      # Opens the journal and reads both slots. Resolves the store's path again each time: a
      # symbolic link may name another file now.
      #
      # @return [Array<Record>] one record for each slot; empty if there is no journal
      def records
        @target = File.symlink?(@path) ? File.realpath(@path) : @path
        close
        return [] unless open

        [0, 1].map { |slot| record(slot) }
      end

      # @return [String, nil] the bytes of a record; nil if it is incomplete
      def bytes(record)
        return unless record.written? && record.size.between?(1, @capacity - Record::BYTES_AT)

        bytes = @io.pread(record.size, offset(record.sequence) + Record::BYTES_AT)
        bytes if record.complete?(bytes)
      rescue EOFError
        nil
      end

      # The sequence number of the last record, which the next record increases by one.
      attr_writer :sequence

      # Makes the bytes durable, then calls the block to write them to the store's file.
      #
      # @param inode [Integer] of the store's file
      # @param rights [Array(Integer, Integer, Integer)] its mode, owner and group
      # @yieldreturn [Integer, nil] the mtime of the store's file after the write, in ns
      # @raise [SystemCallError] after which the store is unchanged
      def commit(bytes, inode, rights)
        OpenJournals.hold(self) do
          prepare(bytes.bytesize, rights)
          sequence = @sequence + 1
          put(Record.encode(bytes, sequence: sequence, inode: inode), offset(sequence))
          sync
          mark(sequence, :begun)
          applied(sequence, yield)
          @sequence = sequence
        rescue SystemCallError
          withdraw(sequence) if sequence
          raise
        end
      end

      # Marks the record as applied.
      #
      # @param mtime [Integer, nil] the present mtime of the store's file, in ns
      def applied(sequence, mtime)
        mark(sequence, :applied, mtime || NEVER)
      rescue SystemCallError
        nil # the record alone already makes the transaction durable
      end

      # Deletes a record.
      def withdraw(sequence)
        put(EMPTY, offset(sequence))
        sync
      rescue SystemCallError
        sync_store # a journal that cannot be written to is removed, and the next commit creates a new one
        close
        File.unlink(name)
      end

      # Deletes both records. The store's file must be complete without them.
      def clear
        [0, 1].each { |slot| put(EMPTY, offset(slot)) }
        sync
        @sequence = 0
      end

      def close
        OpenJournals.remove(self)
        close_file
      end

      # @api private, for {OpenJournals}
      def close_file
        @io&.close
        @io = nil
      end

      # Returns when the store's file is on the disk.
      def sync_store = File.open(@target, "rb") { |io| FileOperations.sync(io) }

      private

      # @param state [Symbol] see {Record#state}
      def mark(sequence, state, mtime = 0)
        put(Record.mark(sequence, state, mtime), offset(sequence) + Record::MARK_AT)
      end

      def name = "#{@target}#{SUFFIX}"

      # @return [Boolean]
      def open
        @io = FileOperations.open(name) or return false
        @capacity = @io.size / 2
        OpenJournals.add(self)
        true
      end

      def record(slot)
        head = @io.pread(Record::BYTES_AT, offset(slot))
        Record.new(head.ljust(Record::BYTES_AT, "\0"))
      rescue EOFError
        Record.new(EMPTY)
      end

      def offset(sequence) = sequence % 2 * @capacity

      def sync = FileOperations.sync(@io)

      def put(bytes, at)
        wrote = @io.pwrite(bytes, at)
        put(bytes.byteslice(wrote..), at + wrote) if wrote < bytes.bytesize
      end

      # Ensures that the journal is open and large enough. Another process may have
      # replaced or removed it.
      def prepare(size, rights)
        current = @io&.stat || (open && @io.stat)
        close if current && current.nlink.zero?
        return if @io && Record::BYTES_AT + size <= @capacity

        replace([SMALLEST, 2 << (Record::BYTES_AT + size).bit_length].max, rights)
      end

      # Syncs the store's file first: the old journal may hold the only synced copy of it.
      def replace(capacity, rights)
        close
        sync_store
        FileOperations.make(name, 2 * capacity, rights)
        @sequence = 0
        open
      end
    end
  end
end
