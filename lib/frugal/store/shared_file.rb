# frozen_string_literal: true

require_relative "../native"
require_relative "successor"

module Frugal
  class Store
    # A file of bytes that processes share under flock(2), kept in memory for as
    # long as one stat says that nobody wrote to it.
    #
    #   file = Frugal::Store::SharedFile.new
    #   file.share("a.store")            # => the bytes; nil: no such file
    #   file.claim("a.store")            # locked until release
    #   file.replace("a.store", "more")
    #   file.release
    #
    # Cost: share 1 call (stat) where the bytes hold, else flock, stat, pread and
    # flock, the first time with open, fstat and fstatfs. claim and release 3
    # (flock, stat, flock); replace 2 more (pwrite, fstat), 3 where the file
    # shrinks or grows into another block.
    class SharedFile
      # This thread is in a transaction of the same file, by another SharedFile.
      class Nested < StandardError; end

      # Something else than a regular file.
      class Special < StandardError; end

      # The process that has the lock is this one's parent.
      class Inherited < StandardError; end

      # @return [String, nil] what the file held last, binary and frozen
      attr_reader :bytes

      def initialize
        @file = Native.engine::StoreFile.new
        @bytes = nil
      end

      # The bytes, as they are or were during this call; nothing stays locked.
      #
      # @param path [String]
      # @param follow [Boolean] symbolic links
      # @return [String, nil] nil where no such file is
      # @raise [SystemCallError, Nested, Special]
      def share(path, follow = true)
        case @file.fresh?(path, follow)
        when true then @bytes
        when false then look(path, follow)
        when nil then nil
        else raise Nested
        end
      end

      # Locks the file, which is made where there is none, and reads it unless the
      # bytes hold. {release} must follow, whatever this raised.
      #
      # @return [String]
      # @raise [SystemCallError, Nested, Special]
      def claim(path, follow = true) = lock(path, follow, true)

      # Ends what share or claim began. Does nothing in a child of the process that did.
      def release = @file.release

      # Writes in place what differs. A full disk leaves the file as it was.
      #
      # @param bytes [String]
      # @param padding [String, nil] a byte that overwrites what the file is to
      #   lose before it is cut, so that a kill between these leaves no old data
      # @raise [SystemCallError, Inherited]
      def replace(path, bytes, padding: nil)
        old = @bytes
        bytes = bytes.b.freeze unless bytes.frozen? && bytes.encoding == Encoding::BINARY
        short = old.bytesize - bytes.bytesize
        fresh = padding && short.positive? ? (bytes + padding * short).freeze : bytes
        raise Inherited unless @file.write(path, old, fresh, bytes.bytesize)

        @bytes = bytes
      end

      # Puts a new file in place of the old one, both locked until {release}: whoever
      # comes, whenever, reads all of the one or all of the other.
      #
      # @param path [String]
      # @param bytes [String]
      # @raise [SystemCallError, Inherited]
      def supersede(path, bytes, follow = true)
        raise Inherited unless @file.locked?

        bytes = bytes.b.freeze unless bytes.frozen? && bytes.encoding == Encoding::BINARY
        Successor.put(path, bytes, follow, @file.rights) { |io| @file.adopt(io) }
        @bytes = bytes
      end

      private

      # What is shared is unlocked as soon as it is read: the bytes are ours.
      def look(path, follow)
        bytes = lock(path, follow, false)
        @file.unlock
        bytes
      end

      def lock(path, follow, exclusive)
        loop do
          case @file.acquire(path, follow, exclusive)
          when true then return @bytes
          when false then return @bytes = @file.read(path)
          when :itself then raise Nested
          end

          opened = @file.open(path, follow, exclusive)
          raise Special if opened == false
          return if opened.nil?
        end
      end
    end
  end
end
