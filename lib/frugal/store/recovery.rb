# frozen_string_literal: true

require_relative "journal"

module Frugal
  class Store
    # What becomes of a store's file that a kill or a power cut left behind, by its
    # journal. Called by whoever has the file locked.
    #
    # The file is left alone where somebody else has written to it since, who knew
    # nothing of the journal: then it is newer than the record, and of this boot all
    # of it is there.
    class Recovery
      PAGE = 4096 # bytes that a kill does not tear
      private_constant :PAGE

      # @param records [Array<JournalRecord>]
      # @return [JournalRecord, nil] the last one that was begun
      def self.newest(records) = records.select(&:written?).max_by(&:sequence)

      # Whether a look is needed that takes the lock.
      def self.needed?(records)
        newest = newest(records)
        !newest.nil? && !(newest.this_boot? && newest.state == :applied)
      end

      # Whether a reader can take the file as it is, so that nobody need write to it.
      def self.right?(records, journal, bytes, inode, mtime)
        newest = newest(records)
        return true if newest.inode != inode || (newest.state == :applied && !newest.this_boot? && mtime > newest.mtime)

        journal.bytes(newest) == bytes
      end

      # @param bytes [String] of the store's file
      # @param inode [Integer] of that, and its
      # @param mtime [Integer] in ns
      def initialize(journal, bytes, inode, mtime)
        @journal = journal
        @found = bytes
        @inode = inode
        @mtime = mtime
      end

      # @yieldparam bytes [String] what the store's file must be made to hold
      # @return [String] what it holds then
      def call(records, &write)
        @texts = records.to_h { |record| [record, @journal.bytes(record)] }
        record = Recovery.newest(records.select { |one| @texts[one] })
        @journal.sequence = record ? record.sequence : 0
        records.each { |one| @journal.withdraw(one.sequence) if one.written? && @texts[one].nil? }
        return @found if record.nil? || fine?(record)

        repair(@texts.fetch(record), &write)
      end

      private

      # Whether the file stays as it is.
      def fine?(record)
        if record.inode != @inode then retire
        elsif record.this_boot? then fine_after_kill?(record)
        elsif record.state == :applied && @mtime > record.mtime then retire
        else @found == @texts[record]
        end
      end

      def fine_after_kill?(record)
        case record.state
        when :applied then true
        when :begun then complete?(record) || (!torn?(record) && retire)
        else # nobody was told of this transaction, and the file knows nothing of it
          @journal.withdraw(record.sequence)
          @journal.sequence = record.sequence - 1
          true
        end
      end

      def complete?(record)
        @found == @texts[record] && @journal.applied(record.sequence, @mtime) && true
      end

      # Whether each page is of this transaction, or of the one before.
      def torn?(record)
        fresh = @texts[record]
        old = @texts.find { |other, text| text && other.sequence == record.sequence - 1 }&.last
        return true if old.nil?

        (0...@found.bytesize).step(PAGE).all? do |at|
          page = @found.byteslice(at, PAGE)
          [fresh, old].any? { |text| text.byteslice(at, page.bytesize) == page }
        end
      end

      def repair(bytes)
        yield bytes
        @journal.settle
        @journal.retire
        bytes
      end

      def retire
        @journal.retire
        true
      end
    end
  end
end
