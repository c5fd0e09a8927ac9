# frozen_string_literal: true

require_relative "../native"
require_relative "successor"

module Frugal
  class Store
    # A file that processes share under flock(2), and that is read again only when
    # one stat cannot tell that nobody wrote to it. What became of its bytes is the
    # caller's to keep.
    #
    #   file = Frugal::Store::SharedFile.new
    #   file.share("a.store")                     # => "old"; true the next time; nil: no such file
    #   file.claim("a.store")                     # => true: still "old", and locked until release
    #   file.write("a.store", 0, "old", "new", 3, 3)
    #   file.release
    #
    # Cost: share 1 call (stat) where the bytes hold, else flock, stat, pread and
    # flock, the first time with open, fstat and statx (which mount that is; the first
    # file of a mount, and any before Linux 6.8, with some 8 more). claim and release 3
    # (flock, stat, flock); write 2 more (pwrite, fstat), 3 where the file shrinks or
    # grows into another block.
    class SharedFile < Native.engine::StoreFile
      # This thread is in a transaction of the same file, by another SharedFile.
      class Nested < StandardError; end

      # Something else than a regular file.
      class Special < StandardError; end

      # The process that has the lock is this one's parent.
      class Inherited < StandardError; end

      # The file as it is or was during this call; nothing stays locked.
      #
      # @param path [String]
      # @param follow [Boolean] symbolic links
      # @return [String, true, nil] its bytes, binary and frozen; true: those that
      #   were read or written last; nil: no such file
      # @raise [SystemCallError, Nested, Special]
      def share(path, follow = true, fresh = fresh?(path, follow))
        case fresh
        when false then look(path, follow)
        when :itself then raise Nested
        else fresh
        end
      end

      # Locks the file, which is made where there is none. {release} must follow,
      # whatever this raised.
      #
      # @return [String, true]
      # @raise [SystemCallError, Nested, Special]
      def claim(path, follow = true, found = acquire(path, follow, true)) = lock(path, follow, true, found)

      # From StoreFile: release ends what share or claim began, and does nothing in
      # a child of the process that did; after forget, true is no answer until the
      # file has been read or written; read(path) reads again what is locked.

      # What is locked, for who has lost it; it counts as known no more than before.
      def reread(path)
        read(path)
      ensure
        forget
      end

      # Writes in place what differs. A full disk leaves the file as it was.
      #
      # @param base [Integer] from this offset on, in bytes,
      # @param old [String, nil] the file holds this, unless nobody knows,
      # @param fresh [String] and is to hold this; both frozen
      # @param size [Integer] of the file as it is
      # @param final_size [Integer] as it is to be: fresh may be longer, to
      #   overwrite what is then cut off
      # @raise [SystemCallError, Inherited]
      def write(path, base, old, fresh, size, final_size)
        super or raise Inherited
      end

      # Puts a new file in place of the old one, both locked until {release}: whoever
      # comes, whenever, reads all of the one or all of the other.
      #
      # @param path [String]
      # @param bytes [String]
      # @param sync [Boolean] whether a power cut leaves one of them, too
      # @raise [SystemCallError, Inherited]
      def supersede(path, bytes, follow = true, sync: true)
        raise Inherited unless locked?

        Successor.put(path, bytes, follow, rights, sync: sync) { |io| adopt(io) }
      end

      private

      # What is shared is unlocked as soon as it is read: the bytes are ours.
      def look(path, follow)
        found = lock(path, follow, false, acquire(path, follow, false))
        unlock
        found
      end

      def lock(path, follow, exclusive, found)
        while found.nil?
          opened = open(path, follow, exclusive)
          raise Special if opened == false
          return if opened.nil?

          found = acquire(path, follow, exclusive)
        end
        raise Nested if found == :itself

        found || read(path)
      end
    end
  end
end
