# frozen_string_literal: true

require_relative "shared_file"
require_relative "marshal_roots"
require_relative "recovery"
require_relative "whole_image"

module Frugal
  class Store
    # Keeps all roots in one file, whose bytes stay in memory for as long as one stat
    # says that they hold.
    #
    # What an engine answers, so that another can join:
    # [enter(read_only)] begins a transaction: a table, see {Transaction}
    # [commit(table)]    saves what the table has become; once, in a transaction that writes
    # [leave]            ends the transaction, whatever became of it
    # [close]            lets go of what is open
    # [serializer]       see {Serializer}
    class FileEngine
      PATIENCE = 200 # looks, 5 ms apart
      private_constant :PATIENCE

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
        @image = found unless true.equal?(found)
        @image = image_of(@image) if String === @image
        table = @image ? @image.table(read_only) : {}
        entered = true
        table
      rescue CorruptStore => error
        raise CorruptStore, "#{@path} cannot be read as #{@serializer.name}: #{error.message}; next: frugal store verify #{@path}"
      rescue SharedFile::Nested
        raise UsageError, "nested transaction: this thread is in one of #{@path} by another object"
      rescue SharedFile::Special
        raise special
      ensure
        @file.forget unless entered # or what was read would be taken for known, and is not
      end

      def commit(table)
        @file.forget # until it is what the image is
        change = @image.change(table) { @file.reread(@path) }
        return @file.believe unless change

        @image = change.image
        change.fresh ? write(change) : @file.believe
      rescue SharedFile::Inherited
        raise UsageError, "this transaction of #{@path} is the parent process's: a fork begins its own"
      end

      # Puts a new file, synced, in place of the old one, as if it had never been changed.
      def rewrite
        bytes = @serializer.dump(enter(false).to_hash).b
        @file.supersede(@path, bytes.freeze)
        @file.forget
      ensure
        leave
      end

      def leave = @file.release

      def close
        @journal&.close
        @journal = Journal.new(@path)
        @file = SharedFile.new
        @image = nil # bytes, until they are asked for
      end

      private

      def special
        return Errno::EISDIR.new(@path) if File.directory?(@path)
        return Errno::EIO.new("#{@path} could be opened, but not be asked what it is") if File.file?(@path)

        UsageError.new("#{@path} is no regular file, so it cannot be a store")
      end

      def image_of(bytes)
        (MarshalRoots.of(bytes) if @serializer.name == :marshal && !@serializer.canonical?) || WholeImage.new(bytes, @serializer)
      end

      def write(change)
        case @durability
        when :fast then overwrite(change)
        when :atomic then @file.supersede(@path, change.bytes, sync: false)
        else record(change)
        end
      end

      def overwrite(change)
        @file.write(@path, change.base, change.old, change.fresh, change.size, change.final_size)
      end

      # An interrupt that came between the two files would leave the transaction
      # neither done nor undone.
      def record(change)
        raise SharedFile::Inherited unless @file.locked?

        Thread.handle_interrupt(Object => :never) do
          inode, = @file.stamp
          @journal.commit(change.bytes, inode, @file.rights) do
            overwrite(change)
            @file.stamp.last
          end
        end
      end

      # What was read may be what a power cut or a kill left. A store that is not
      # durable itself asks no more once there was no journal.
      #
      # @return [String] what is there to be read then
      def recovered(bytes, read_only)
        records = nil
        OpenJournals.hold(@journal) do
          records = @journal.records
          @journal.sequence = Recovery.newest(records)&.sequence || 0
          if Recovery.needed?(records) && !(read_only && Recovery.right?(records, @journal, bytes, *@file.stamp))
            bytes = recover(bytes, read_only)
          end
        end
        return bytes if @durability == :durable || records.any?

        @journal.close
        @journal = nil
        bytes
      end

      def recover(bytes, read_only)
        return recover_claimed(bytes) unless read_only

        @file.release
        return wait_for_writer unless File.writable?(@path)

        claimed = @file.claim(@path)
        recover_claimed(true.equal?(claimed) ? @file.read(@path) : claimed)
        @file.release
        @file.forget
        @file.share(@path)
      end

      # Who may only read: a transaction that is under way ends by itself.
      def wait_for_writer
        PATIENCE.times do
          sleep 0.005
          next if Recovery.needed?(@journal.records)

          @file.forget
          return @file.share(@path)
        end
        raise CorruptStore, "a crash left a transaction half done, and this process may not write to the file: open it once as somebody who may"
      end

      def recover_claimed(bytes)
        Recovery.new(@journal, bytes, *@file.stamp).call(@journal.records) do |whole|
          @file.write(@path, 0, bytes, whole.freeze, bytes.bytesize, whole.bytesize)
        end
      end
    end
  end
end
