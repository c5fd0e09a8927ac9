# frozen_string_literal: true

require_relative "../journal"

module Frugal
  class Store
    class Journal
      # Decides by the journal whether a crash left the store's file incomplete, and
      # restores the file. The caller has locked the file. docs/adr/0007 has a table of all cases.
      #
      # Another program, which does not use the journal, may have written to the file after
      # the record. Then the file is not changed.
      class Recovery
        PAGE = 4096 # bytes: a kill ends a write between two pages, never within one
        private_constant :PAGE

        # @param records [Array<Record>]
        # @return [Record, nil] the last record that was begun
        def self.newest(records) = records.select(&:written?).max_by(&:sequence)

        # Reports whether the file must be checked under its lock.
        def self.needed?(records)
          newest = newest(records)
          !newest.nil? && !(newest.this_boot? && newest.state == :applied)
        end

        # Reports whether the file is complete, so a reader can use it without a repair.
        def self.complete?(records, journal, bytes, inode, mtime)
          newest = newest(records)
          return true if newest.inode != inode
          return true if newest.state == :applied && !newest.this_boot? && mtime > newest.mtime

          journal.bytes(newest) == bytes
        end

        # @param bytes [String] the content of the store's file
        # @param inode [Integer] of the store's file
        # @param mtime [Integer] of the store's file, in ns
        def initialize(journal, bytes, inode, mtime)
          @journal = journal
          @found = bytes
          @inode = inode
          @mtime = mtime
        end

        # @yieldparam bytes [String] the bytes that the block must write to the store's file
        # @return [String] the content of the store's file after recovery
        def call(records, &write)
          @contents = records.to_h { |record| [record, @journal.bytes(record)] }
          record = Recovery.newest(records.select { |one| @contents[one] })
          @journal.sequence = record ? record.sequence : 0
          records.each { |one| @journal.withdraw(one.sequence) if one.written? && @contents[one].nil? }
          return @found if record.nil? || keep_file?(record)

          restore(@contents.fetch(record), &write)
        end

        private

        # Whether the file must not be changed.
        def keep_file?(record)
          if replaced?(record) then clear_journal
          elsif record.this_boot? then keep_after_kill?(record)
          else @found == @contents[record]
          end
        end

        # Whether the file was replaced, or was written after a record of an earlier boot.
        def replaced?(record)
          record.inode != @inode || (record.state == :applied && !record.this_boot? && @mtime > record.mtime)
        end

        def keep_after_kill?(record)
          case record.state
          when :applied then true
          when :begun then mark_if_applied(record) || (!torn?(record) && clear_journal)
          else # the transaction was never acknowledged, and no part of it is in the file
            @journal.withdraw(record.sequence)
            @journal.sequence = record.sequence - 1
            true
          end
        end

        def mark_if_applied(record)
          @found == @contents[record] && @journal.applied(record.sequence, @mtime) && true
        end

        # Whether each page of the file belongs to this transaction or to the previous one. If not,
        # another program has written to the file since then.
        def torn?(record)
          fresh = @contents[record]
          old = @contents.find { |other, bytes| bytes && other.sequence == record.sequence - 1 }&.last
          return true if old.nil?

          (0...@found.bytesize).step(PAGE).all? do |at|
            page = @found.byteslice(at, PAGE)
            [fresh, old].any? { |bytes| bytes.byteslice(at, page.bytesize) == page }
          end
        end

        def restore(bytes)
          yield bytes
          @journal.sync_store
          @journal.clear
          bytes
        end

        def clear_journal
          @journal.clear
          true
        end
      end
    end
  end
end
