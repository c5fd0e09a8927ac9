# frozen_string_literal: true

require_relative "boot"
require_relative "journal_file"
require_relative "journal_record"
require_relative "open_journals"

module Frugal
  class Store
    # The file beside a store that makes its transactions durable at the price of one
    # sync: all bytes are written to one of two slots, synced, and only then to the
    # store's own file, in place and unsynced. A power cut leaves the record that was
    # synced last, whatever it made of the store's file; {Recovery} puts it there.
    #
    # Slots take turns, so the last record is whole while the next is written. The
    # file, of {JournalFile}, belongs to whoever has the store's file locked.
    #
    # Cost of a record: fstat, pwrite, fdatasync, and pwrite twice, which are not
    # waited for. The first one, and one that no longer fits: about 10 more, 4 of them syncs.
    class Journal
      SUFFIX = ".frugal-journal"
      SMALLEST = 4_096 # bytes of a slot: two beside each other are one write to the disk
      NEVER = 2**63 # ns: what nothing is newer than
      NOTHING = ("\0" * JournalRecord::BYTES_AT).freeze
      private_constant :SMALLEST, :NEVER, :NOTHING

      # @return [String] the store's file, no symbolic link
      attr_reader :target

      # @param path [String] the store's
      def initialize(path)
        @path = path
        @io = @target = nil
        @sequence = 0 # of the last record that counts
      end

      # Looks for the store's journal, where its file may be another by now.
      #
      # @return [Array<JournalRecord>] the records by slot; none where there is no journal
      def records
        @target = File.symlink?(@path) ? File.realpath(@path) : @path
        close
        return [] unless open

        [0, 1].map { |slot| record(slot) }
      end

      # @return [String, nil] the bytes of a record; nil: it is not whole
      def bytes(record)
        return unless record.written? && record.size.between?(1, @capacity - JournalRecord::BYTES_AT)

        bytes = @io.pread(record.size, offset(record.sequence) + JournalRecord::BYTES_AT)
        bytes if record.whole?(bytes)
      rescue EOFError
        nil
      end

      # Which record the next one follows.
      attr_writer :sequence

      # Makes bytes durable, then lets the block write them to the store's file.
      #
      # @param inode [Integer] of the store's file
      # @param rights [Array(Integer, Integer, Integer)] its mode, owner and group
      # @yieldreturn [Integer, nil] the mtime of the store's file then, in ns
      # @raise [SystemCallError] nothing has changed then
      def commit(bytes, inode, rights)
        OpenJournals.hold(self) do
          prepare(bytes.bytesize, rights)
          sequence = @sequence + 1
          put(JournalRecord.encode(bytes, sequence: sequence, inode: inode), offset(sequence))
          sync
          mark(sequence, :begun)
          applied(sequence, yield)
          @sequence = sequence
        rescue SystemCallError
          withdraw(sequence) if sequence
          raise
        end
      end

      # @param mtime [Integer, nil] of the store's file as it is now, in ns
      def applied(sequence, mtime)
        mark(sequence, :applied, mtime || NEVER)
      rescue SystemCallError
        nil # the transaction is through; its record says so, too
      end

      # Makes a record be none.
      def withdraw(sequence)
        put(NOTHING, offset(sequence))
        sync
      rescue SystemCallError
        settle # a journal that cannot be written to must not speak, and the next commit makes another
        close
        File.unlink(name)
      end

      # Makes both be none, once the store's file needs neither.
      def retire
        [0, 1].each { |slot| put(NOTHING, offset(slot)) }
        sync
        @sequence = 0
      end

      def close
        OpenJournals.forget(self)
        shut
      end

      # @api private, of {OpenJournals}
      def shut
        @io&.close
        @io = nil
      end

      # Waits until the store's file is on the disk.
      def settle = File.open(@target, "rb") { |io| JournalFile.sync(io) }

      private

      # @param state [Symbol] see {JournalRecord}
      def mark(sequence, state, mtime = 0)
        put(JournalRecord.mark(sequence, state, mtime), offset(sequence) + JournalRecord::MARK_AT)
      end

      def name = "#{@target}#{SUFFIX}"

      # @return [Boolean]
      def open
        @io = JournalFile.open(name) or return false
        @capacity = @io.size / 2
        OpenJournals.add(self)
        true
      end

      def record(slot)
        head = @io.pread(JournalRecord::BYTES_AT, offset(slot))
        JournalRecord.new(head.ljust(JournalRecord::BYTES_AT, "\0"))
      rescue EOFError
        JournalRecord.new(NOTHING)
      end

      def offset(sequence) = sequence % 2 * @capacity

      def sync = JournalFile.sync(@io)

      def put(bytes, at)
        wrote = @io.pwrite(bytes, at)
        put(bytes.byteslice(wrote..), at + wrote) if wrote < bytes.bytesize
      end

      # Others may have put another journal in its place, or removed it.
      def prepare(size, rights)
        current = @io&.stat || (open && @io.stat)
        close if current && current.nlink.zero?
        return if @io && JournalRecord::BYTES_AT + size <= @capacity

        renew([SMALLEST, 2 << (JournalRecord::BYTES_AT + size).bit_length].max, rights)
      end

      # The store's file must hold all that the old journal has before that goes.
      def renew(capacity, rights)
        close
        settle
        JournalFile.make(name, 2 * capacity, rights)
        @sequence = 0
        open
      end
    end
  end
end
