# frozen_string_literal: true

require_relative "shared_file"
require_relative "marshal_roots"
require_relative "../journal/recovery"
require_relative "unindexed_image"
require_relative "expiring_table"

module Frugal
  class Store
    # The engine +:file+: keeps all roots in one file. Its content stays in memory as an
    # image (a {MarshalRoots} or an {UnindexedImage}), which is valid as long as a stat of
    # the file proves it. The folder has no module, because +Store::File+ would hide Ruby's
    # +File+.
    #
    # The interface of an engine:
    # [enter(read_only)] begins a transaction and returns its table, see {Transaction}
    # [commit(table)]    saves the table; called at most once, and only in a transaction that may write.
    #                    Returns {Transaction::CONFLICT} if nothing was saved and the block must run again
    # [discard(table)]   called instead of commit, with the same return value
    # [leave]            ends the transaction, committed or not
    # [close]            closes all files
    # [serializer]       see {Serializer}
    class FileEngine
      attr_reader :serializer

      def initialize(path, durability:, serializer:)
        @path = path
        @durability = durability
        @serializer = serializer
        close
      end

      # @return [Hash, MarshalTable]
      # @raise [CorruptStore, UsageError, SystemCallError]
      def enter(read_only)
        entered = false
        found = read_only ? @file.share(@path) : @file.claim(@path)
        found = recovered(found, read_only) if @journal && String === found
        @image, @deadlines = found, nil unless true.equal?(found)
        @image = image_of(@image) if String === @image
        table = @image ? @image.table(read_only) : {}
        table = expiring(table) if table.key?(Expiry::ROOT)
        entered = true
        table
      rescue CorruptStore => e
        raise CorruptStore,
              "#{@path} cannot be read as #{@serializer.name}: #{e.message}; next: frugal store verify #{@path}"
      rescue SharedFile::Nested
        raise UsageError, "nested transaction: this thread is in a transaction of #{@path} with another object"
      rescue SharedFile::Special
        raise special
      ensure
        @file.invalidate unless entered # the file was read, but the image may not have been set
      end

      def commit(table)
        @file.invalidate # the image is invalid until the file is written
        table = settled(table) if ExpiringTable === table
        change = @image.change(table) { @file.reread(@path) }
        return @file.revalidate unless change

        @image = change.image
        change.fresh ? write(change) : @file.revalidate
      rescue SharedFile::Inherited
        raise UsageError, "this transaction of #{@path} is the parent process's: a fork begins its own"
      end

      # Replaces the file by a new, synced file with all roots that have not expired, as if they
      # had been written in one transaction.
      def rewrite
        table = enter(false)
        table = table.settled(table.deadlines.size) if ExpiringTable === table
        bytes = @serializer.dump(table.to_hash).b
        @file.replace(@path, bytes.freeze)
        @file.invalidate
      ensure
        leave
      end

      def discard(_table) = nil

      def leave = @file.release

      def close
        @journal&.close
        @journal = Journal.new(@path)
        @file = SharedFile.new
        @deadlines = nil # the deadlines of the image, if they have been read
        @image = nil # the image, or the bytes of the file until a transaction needs the image
      end

      private

      def special
        return Errno::EISDIR.new(@path) if File.directory?(@path)
        return Errno::EIO.new("#{@path} was opened, but fstat failed") if File.file?(@path)

        UsageError.new("#{@path} is not a regular file, so it cannot be a store")
      end

      # Decodes the deadlines once for each content of the file. They are read from a separate
      # table, because a write compares the roots that were read from this table with the file.
      def expiring(table)
        @deadlines ||= Deadlines.new((Hash === table ? table : @image.table(true))[Expiry::ROOT], @serializer)
        ExpiringTable.new(table, @deadlines)
      end

      def settled(table)
        table.settled.tap { @deadlines = table.deadlines }
      end

      def image_of(bytes)
        roots = MarshalRoots.of(bytes) if @serializer.name == :marshal && !@serializer.canonical?
        roots || UnindexedImage.new(bytes, @serializer)
      end

      def write(change)
        case @durability
        when :fast then overwrite(change)
        when :atomic then @file.replace(@path, change.bytes, sync: false)
        else write_by_journal(change)
        end
      end

      def overwrite(change)
        @file.write(@path, change.base, change.old, change.fresh, change.size, change.final_size)
      end

      # An interrupt between the writes to the two files would leave the transaction incomplete.
      def write_by_journal(change)
        raise SharedFile::Inherited unless @file.locked?

        Thread.handle_interrupt(Object => :never) do
          inode, = @file.stamp
          @journal.commit(change.bytes, inode, @file.rights) do
            overwrite(change)
            @file.stamp.last
          end
        end
      end

      # Recovers the file from its journal, if a kill or a power cut left it incomplete. A
      # store that is not +:durable+ looks for a journal only until it has found none.
      #
      # @return [String, true, nil] the content of the file, as from {SharedFile#share}
      def recovered(bytes, read_only)
        records = nil
        Journal::OpenJournals.hold(@journal) do
          records = @journal.records
          @journal.sequence = Journal::Recovery.newest(records)&.sequence || 0
          bytes = recover(bytes, read_only) if Journal::Recovery.needed?(records) &&
                                               !(read_only && complete?(records, bytes))
        end
        return bytes if @durability == :durable || records.any?

        @journal.close
        @journal = nil
        bytes
      end

      def complete?(records, bytes) = Journal::Recovery.complete?(records, @journal, bytes, *@file.stamp)

      def recover(bytes, read_only)
        return recover_claimed(bytes) unless read_only

        @file.release
        return wait_for_writer unless File.writable?(@path)

        claimed = @file.claim(@path)
        recover_claimed(true.equal?(claimed) ? @file.read(@path) : claimed)
        @file.release
        @file.invalidate
        @file.share(@path)
      end

      # For a process that may only read. The record may belong to a running transaction, which has locked the file. If
      # the record is still there when the file is not locked, its process has ended.
      def wait_for_writer
        newest = nil
        while Journal::Recovery.needed?(records = @journal.records)
          sequence = Journal::Recovery.newest(records).sequence
          left_half_done if sequence == newest

          newest = sequence
          share_anew
        end
        share_anew
      end

      def share_anew
        @file.invalidate
        @file.share(@path)
      end

      def left_half_done
        raise CorruptStore, "a crash left a transaction half done, and this process may not write to the file: " \
                            "open the store once as a user who may write to it"
      end

      def recover_claimed(bytes)
        Journal::Recovery.new(@journal, bytes, *@file.stamp).call(@journal.records) do |restored|
          @file.write(@path, 0, bytes, restored.freeze, bytes.bytesize, restored.bytesize)
        end
      end
    end
  end
end
