# frozen_string_literal: true

require_relative "shared_file"
require_relative "marshal_roots"
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
      attr_reader :serializer

      def initialize(path, durability:, serializer:)
        @path = path
        @durability = durability
        @serializer = serializer
        @file = SharedFile.new
        @image = nil # bytes, until they are asked for
      end

      # @return [Hash, MarshalTable]
      # @raise [CorruptStore, UsageError, SystemCallError]
      def enter(read_only)
        found = look(read_only)
        return {} if found.nil?

        @image = found unless true.equal?(found)
        @image = image_of(@image) if String === @image
        @image.table(read_only)
      rescue CorruptStore => error
        raise CorruptStore, "#{@path} cannot be read as #{@serializer.name}: #{error.message}; next: frugal store verify #{@path}"
      rescue SharedFile::Nested
        raise UsageError, "nested transaction: this thread is in one of #{@path} by another object"
      rescue SharedFile::Special
        raise File.directory?(@path) ? Errno::EISDIR.new(@path) : UsageError.new("#{@path} is no regular file, so it cannot be a store")
      end

      def commit(table)
        image, @image = @image, nil # until the file is what the image will be
        change = image.change(table) { @file.read(@path) }
        if change
          write(change) if change.fresh
          image = change.image
        end
        @image = image
      rescue SharedFile::Inherited
        raise UsageError, "this transaction of #{@path} is the parent process's: a fork begins its own"
      end

      def leave = @file.release

      def close
        @file = SharedFile.new
        @image = nil
      end

      private

      # An image that a transaction lost is read again.
      def look(read_only)
        found = read_only ? @file.share(@path) : @file.claim(@path)
        return found unless true.equal?(found) && @image.nil?

        @file.forget
        read_only ? @file.share(@path) : @file.claim(@path)
      end

      def image_of(bytes)
        (MarshalRoots.of(bytes) if @serializer.name == :marshal && !@serializer.canonical?) || WholeImage.new(bytes, @serializer)
      end

      def write(change)
        case @durability
        when :atomic then @file.supersede(@path, change.whole.call)
        else @file.write(@path, change.base, change.old, change.fresh, change.size, change.final_size)
        end
      end
    end
  end
end
