# frozen_string_literal: true

require_relative "../../native"
Frugal::Native.need(:stores)
require_relative "atomic_replace"

module Frugal
  class Store
    # A file that processes share under flock(2). It is read again unless a stat proves
    # that it was not written since the last read. The caller keeps the bytes.
    #
    #   file = Frugal::Store::SharedFile.new
    #   file.share("a.store")                     # => "old"; true the next time; nil: no such file
    #   file.claim("a.store")                     # => true: still "old", and locked until release
    #   file.write("a.store", 0, "old", "new", 3, 3)
    #   file.release
    #
    # *Cost*: share: 1 call (stat) if the bytes are valid, else flock, stat, pread and
    # flock; the first time also open, fstat and statx (to identify the mount; the first
    # file of a mount, and any file before Linux 6.8, costs some 8 more). claim and release:
    # 3 (flock, stat, flock). write: 2 more (pwrite, fstat), or 3 if the file shrinks or
    # grows into another block.
    class SharedFile < Native.engine::StoreFile
      # This thread is in a transaction of the same file with another SharedFile.
      class Nested < StandardError; end

      # The path names something other than a regular file.
      class Special < StandardError; end

      # The lock belongs to the parent of this process.
      class Inherited < StandardError; end

      # The content of the file at some moment during this call; the file is not locked afterwards.
      #
      # @param path [String]
      # @param follow [Boolean] whether to follow symbolic links
      # @return [String, true, nil] its bytes, binary and frozen; true if they are the same as
      #   at the last read or write; nil if there is no such file
      # @raise [SystemCallError, Nested, Special]
      def share(path, follow = true, fresh = fresh?(path, follow))
        case fresh
        when false then read_shared(path, follow)
        when :itself then raise Nested
        else fresh
        end
      end

      # Locks the file, and creates it if it does not exist. The caller must call {release},
      # even if this raises.
      #
      # @return [String, true] as {share}
      # @raise [SystemCallError, Nested, Special]
      def claim(path, follow = true, found = acquire(path, follow, true)) = lock(path, follow, true, found)

      # Inherited from StoreFile: release undoes the lock of share or claim, and does nothing in
      # a child of the process that called them. After invalidate, the next share or claim reads
      # the file. revalidate declares the bytes valid. read(path) reads the locked file again.

      # Reads the locked file again, for a caller that no longer has the bytes, and invalidates
      # them.
      def reread(path)
        read(path)
      ensure
        invalidate
      end

      # Overwrites a part of the file in place. If the disk is full, the file keeps its old content.
      #
      # @param base [Integer] the offset of the part, in bytes
      # @param old [String, nil] the present bytes of the part, frozen; nil if unknown
      # @param fresh [String] the new bytes, frozen
      # @param size [Integer] the size of the file now
      # @param final_size [Integer] the size of the file afterwards; fresh may reach
      #   beyond it, to overwrite the bytes that are then truncated
      # @raise [SystemCallError, Inherited]
      def write(path, base, old, fresh, size, final_size)
        super or raise Inherited
      end

      # Replaces the file by a new one; both are locked until {release}. A reader always
      # reads either the complete old content or the complete new content.
      #
      # @param path [String]
      # @param bytes [String]
      # @param sync [Boolean] whether this also holds after a power cut
      # @raise [SystemCallError, Inherited]
      def replace(path, bytes, follow = true, sync: true)
        raise Inherited unless locked?

        AtomicReplace.put(path, bytes, follow, rights, sync: sync) { |io| adopt(io) }
      end

      private

      # Unlocks at once: the caller has its own copy of the bytes.
      def read_shared(path, follow)
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

        found || fetch(path)
      end

      # The bytes of the locked file.
      def fetch(path) = read(path)
    end
  end
end
