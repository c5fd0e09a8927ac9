# frozen_string_literal: true

require_relative "file_times"
require_relative "store_identity"
require_relative "store_overwrite"
require_relative "store_pool"

module Frugal
  module Native
    module Pure
      # The twin of C's StoreFile: one file that processes share under flock(2).
      # The times of a file are trusted once they are two ticks old, on a file
      # system that is known to keep such times.
      class StoreFile
        Identity = StoreIdentity
        Pool = StorePool
        private_constant :Identity, :Pool

        attr_reader :holder, :how, :opened

        def initialize
          @io = @identity = @opened = nil
          @known = @believed = @locked = @ticks = false
        end

        def fresh?(path, follow)
          return false unless @known && @believed

          now = ask(path, follow) or return nil
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
          return false if FileTest.pipe?(path) # opening it may have to wait for who writes to it

          io = File.new(path, flags | File::BINARY, 0o666)
          return false unless io.stat.file?

          keep(io, writable)
          true
        rescue Errno::ENOENT
          raise if writable
        rescue Errno::EMFILE, Errno::ENFILE
          Pool.close_oldest ? retry : raise
        ensure
          io.close unless io.nil? || @io.equal?(io)
        end

        def adopt(io)
          keep(io, true)
          @locked = true
          know(@opened)
        end

        def acquire(path, follow, exclusive)
          how = exclusive ? :exclusive : :shared
          wake
          return unless @io && (@writable || !exclusive)
          if would_wait_for_itself?(@opened, how)
            return leads_there?(path, follow) ? :itself : close
          end

          hold(how)
          now = take_lock(path, follow, exclusive) && asked(path, follow)
          return true if now && @known && @believed && now.same_content?(@identity)

          @known = false
          return close unless now && now.same_file?(@opened) && now.same_rights?(@opened)

          @identity = now
          @believed = trusted?(now)
          false
        end

        def release
          wake
          Pool.let_go(self)
          unlock
          close if Pool.surplus? # as many may have been in transactions at once
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
          @known = true
          bytes
        end

        def write(_path, base, old, fresh, size, final_size)
          wake
          return false unless @locked

          @known = false
          StoreOverwrite.new(@io, base, old, fresh, size).call(final_size)
          know(Identity.of(@io.stat))
          true
        end

        def forget = @known = false

        def believe = @known = true

        # Only an index of a store's roots gives tables.
        def remember(_name, _index, _table) = nil

        def table(_name, _read_only, _no_follow) = nil

        def unchanged?(_table) = false

        def locked?
          wake
          @locked
        end

        def rights = [@identity.mode & 0o7777, @identity.owner, @identity.group]

        def stamp = [@identity.inode, @identity.mtime]

        def close
          Pool.closed(self)
          @io&.close
          @io = nil
          @locked = false
          nil
        end

        private

        def ask(path, follow)
          Identity.of(follow ? File.stat(path) : File.lstat(path))
        rescue Errno::ENOENT
          nil
        end

        def know(identity)
          @identity = identity
          @believed = trusted?(identity)
          @known = true
        end

        # Whether a later stat that answers the same proves that nothing was written since.
        def trusted?(identity) = @ticks && FileTimes.past?(identity.mtime, identity.ctime)

        def keep(io, writable)
          opened = Identity.of(io.stat)
          # As long as both are open, a device's number is that of one file system.
          @ticks = FileTimes.ticks?(io) unless @io && @opened.device == opened.device
          close
          io.binmode
          io.sync = true
          @io = io
          @pid = Process.pid
          @writable = writable
          @opened = opened
          Pool.close_oldest while Pool.full?
          Pool.opened(self)
        end

        # flock belongs to the open file, which a parent and its child share: what
        # the child unlocks or closes would be the parent's.
        def wake
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

        # False where that would be waiting for a file that the path does not lead to any more.
        def take_lock(path, follow, exclusive)
          how = exclusive ? File::LOCK_EX : File::LOCK_SH
          @locked = true # an exception may come just as the lock has come: what may be locked is unlocked
          @locked = @io.flock(how | File::LOCK_NB) || (leads_there?(path, follow) && @io.flock(how)) ? true : false
        end

        def leads_there?(path, follow) = asked(path, follow)&.same_file?(@opened)

        # Whatever is wrong with the path, opening it will tell.
        def asked(path, follow)
          ask(path, follow)
        rescue SystemCallError
          nil
        end
      end
    end
  end
end
