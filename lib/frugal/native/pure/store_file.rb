# frozen_string_literal: true

require_relative "file_times"
require_relative "store_identity"
require_relative "store_overwrite"
require_relative "store_pool"

module Frugal
  module Native
    module Pure
      # The pure twin of C's StoreFile: one file that processes share under flock(2), and
      # whose bytes the caller keeps.
      #
      # The bytes are valid as long as a stat returns the same times. This is a proof only if
      # the times are older than two clock ticks, on a file system whose times advance with
      # that clock.
      class StoreFile
        Identity = StoreIdentity
        Pool = StorePool
        private_constant :Identity, :Pool

        # Always empty: see {StoreFile#remember}.
        def self.kept = []

        attr_reader :holder, :how, :opened

        def initialize
          @io = @identity = @opened = @owner = nil
          @valid = @settled = @locked = @ticks = false
        end

        def fresh?(path, follow)
          return false unless @valid && @settled

          now = stat(path, follow) or return nil
          return false unless now.same_content?(@identity)
          return :itself if would_wait_for_itself?(now, :shared)

          hold(:shared)
          true
        rescue SystemCallError
          false
        end

        def open(path, follow, writable)
          flags = writable ? File::RDWR | File::CREAT : File::RDONLY
          flags |= File::NOFOLLOW unless follow
          return false if FileTest.pipe?(path) # opening it would wait for a writer

          io = File.new(path, flags | File::BINARY, 0o666)
          return false unless io.stat.file?

          keep(unbuffered(io), writable)
          true
        rescue Errno::ENOENT
          raise if writable
        rescue Errno::EMFILE, Errno::ENFILE
          Pool.close_oldest ? retry : raise
        ensure
          io.close unless io.nil? || @io.equal?(io)
        end

        def adopt(io)
          keep(unbuffered(io), true)
          @locked = true
          validate(@opened)
        end

        def acquire(path, follow, exclusive)
          how = exclusive ? :exclusive : :shared
          drop_inherited
          return unless @io && (@writable || !exclusive)
          if would_wait_for_itself?(@opened, how)
            return names_opened?(path, follow) ? :itself : close
          end

          hold(how)
          return unless Pool.open?(self)

          now = take_lock(path, follow, exclusive) && stat_or_nil(path, follow)
          return true if now && @valid && @settled && now.same_content?(@identity)

          @valid = false
          now && same_file_and_rights?(now) ? identify(now) : close
        end

        def release
          drop_inherited
          begin
            unlock
          ensure
            Pool.release(self) # from now on, another thread may close the file
          end
          close if Pool.surplus? # so many were in transactions that none could be closed when this one was opened
          nil
        end

        def unlock
          return unless @locked

          @locked = false
          @io.flock(File::LOCK_UN)
          nil
        end

        def read(_path)
          @io.rewind
          bytes = @io.read.freeze
          @valid = true
          bytes
        end

        def write(_path, base, old, fresh, size, final_size)
          drop_inherited
          return false unless @locked

          @valid = false
          StoreOverwrite.new(@io, base, old, fresh, size).call(final_size)
          validate(identity_of(@io))
          true
        end

        # Declares the caller's bytes invalid: the next acquire reads the file.
        def invalidate = @valid = false

        # Declares the caller's bytes valid again.
        def revalidate = @valid = true

        # In the C engine, objects share a file that has an index. The pure engine has no index.
        def remember(_index, _kind) = nil

        def drop = nil

        def enter(owner, _file_class, _path, _read_only, _no_follow, _table)
          return false if @owner

          @owner = owner
          nil
        end

        def leave(owner)
          return unless @owner.equal?(owner)

          @owner = nil
          release
        end

        def unchanged?(_table) = false

        def locked?
          drop_inherited
          @locked
        end

        def rights = [@identity.mode & 0o7777, @identity.owner, @identity.group]

        def stamp = [@identity.inode, @identity.mtime]

        # Called by the pool. Another thread may have begun a transaction meanwhile, and may
        # have opened the file again.
        def close_if_idle
          io = @io
          Pool.closed(self)
          return Pool.opened(self) if Pool.held.include?(self)

          io&.close
          @io = nil if @io.equal?(io)
        end

        # Thread#kill during IO#close would leave the descriptor open forever, and its lock held.
        def close
          Pool.closed(self)
          Thread.handle_interrupt(Object => :never) { @io&.close }
          @io = nil
          @locked = false
          nil
        end

        private

        def stat(path, follow)
          Identity.of(follow ? File.stat(path) : File.lstat(path))
        rescue Errno::ENOENT
          nil
        end

        def validate(identity)
          @identity = identity
          @settled = settled?(identity)
          @valid = true
        end

        # Whether a later stat with the same result proves that nothing was written in between.
        def settled?(identity) = @ticks && FileTimes.past?(identity.mtime, identity.ctime)

        def identity_of(io) = Identity.of(io.stat)

        def unbuffered(io)
          io.binmode
          io.sync = true
          io
        end

        def keep(io, writable)
          opened = identity_of(io)
          # While both are open, equal device numbers mean the same file system.
          @ticks = FileTimes.ticks?(io) unless @io && @opened.device == opened.device
          close
          @io = io
          @pid = Process.pid
          @writable = writable
          @opened = opened
          Pool.close_oldest while Pool.full?
          Pool.opened(self)
        end

        # Drops a file that was opened before a fork. Parent and child share the open file and
        # its flock, so the child must not unlock it.
        def drop_inherited
          return if @io.nil? || @pid == Process.pid

          @io.autoclose = false
          @io = nil
          @locked = false
          Pool.closed(self)
        end

        def hold(how)
          @how = how
          @holder = Thread.current
          Pool.hold(self)
        end

        def would_wait_for_itself?(identity, how)
          Pool.held.any? do |other|
            !other.equal?(self) && other.holder == Thread.current && other.opened&.same_file?(identity) &&
              !(how == :shared && other.how == :shared)
          end
        end

        def same_file_and_rights?(identity) = identity.same_file?(@opened) && identity.same_rights?(@opened)

        # @return [false] because the bytes must be read again
        def identify(identity)
          @identity = identity
          @settled = settled?(identity)
          false
        end

        # @return [Boolean] false if another process has the lock, and the path names another file now
        def take_lock(path, follow, exclusive)
          how = exclusive ? File::LOCK_EX : File::LOCK_SH
          @locked = true # set first: an interrupt may come right after flock, and release must unlock then
          @locked = @io.flock(how | File::LOCK_NB) || (names_opened?(path, follow) && @io.flock(how)) ? true : false
        end

        def names_opened?(path, follow) = stat_or_nil(path, follow)&.same_file?(@opened)

        # Returns nil for an error, because opening the path raises it.
        def stat_or_nil(path, follow)
          stat(path, follow)
        rescue SystemCallError
          nil
        end
      end
    end
  end
end
