# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The twin of C's StoreFile: one file that processes share under flock(2).
      # The times of a file are believed once they are two ticks old; of its file
      # system nothing can be asked here.
      class StoreFile
        OPEN_AT_MOST = 32
        # ns; a kernel's tick is 10 ms at most.
        TWO_TICKS = 20_000_000
        private_constant :TWO_TICKS

        # What a stat tells of a file, and of its content.
        Identity = Struct.new(:device, :inode, :size, :mtime, :ctime, :mode, :owner, :group) do
          def self.of(stat)
            times = [stat.mtime, stat.ctime].map { |time| time.to_i * 1_000_000_000 + time.nsec }
            new(stat.dev, stat.ino, stat.size, *times, stat.mode, stat.uid, stat.gid)
          end

          def same_file?(other) = !other.nil? && inode == other.inode && device == other.device

          def same_rights?(other) = mode == other.mode && owner == other.owner && group == other.group

          def same_content?(other)
            !other.nil? && same_file?(other) && size == other.size && mtime == other.mtime && ctime == other.ctime
          end

          def believed?
            return false if (mtime % 1_000_000_000).zero? && (ctime % 1_000_000_000).zero?

            Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond) - [mtime, ctime].max > TWO_TICKS
          end
        end
        private_constant :Identity

        @open = {}.compare_by_identity # oldest first
        @held = {}.compare_by_identity
        @guard = Mutex.new
        class << self
          attr_reader :open, :held, :guard
        end

        attr_reader :holder, :how, :opened

        def initialize
          @io = @identity = @opened = nil
          @known = @believed = @locked = false
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
          io = File.new(path, flags | File::BINARY, 0o666)
          unless io.stat.file?
            io.close
            return false
          end
          keep(io, writable)
          true
        rescue Errno::ENOENT
          raise if writable
        rescue Errno::EMFILE, Errno::ENFILE
          close_oldest ? retry : raise
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
          return :itself if would_wait_for_itself?(@opened, how)

          hold(how)
          lock(exclusive)
          now = ask(path, follow)
          return true if now && @known && @believed && now.same_content?(@identity)

          @known = false
          return close unless now && now.same_file?(@opened) && now.same_rights?(@opened)

          @identity = now
          @believed = now.believed?
          false
        end

        def release
          wake
          self.class.guard.synchronize { self.class.held.delete(self) }
          unlock
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
          old ||= part(base, [size - base, fresh.bytesize].min)
          overwrite(base, old, fresh, size, final_size)
          know(Identity.of(@io.stat))
          true
        end

        def forget = @known = false

        def locked?
          wake
          @locked
        end

        def rights = [@identity.mode & 0o7777, @identity.owner, @identity.group]

        def close
          self.class.guard.synchronize { self.class.open.delete(self) }
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
          @believed = identity.believed?
          @known = true
        end

        def keep(io, writable)
          close
          io.binmode
          io.sync = true
          @io = io
          @pid = Process.pid
          @writable = writable
          @opened = Identity.of(io.stat)
          close_oldest while self.class.open.size >= OPEN_AT_MOST && idle
          self.class.guard.synchronize { self.class.open[self] = true }
        end

        # flock belongs to the open file, which a parent and its child share: what
        # the child unlocks or closes would be the parent's.
        def wake
          return if @io.nil? || @pid == Process.pid

          @io.autoclose = false
          @io = nil
          @locked = false
          self.class.open.delete(self)
        end

        def idle = self.class.open.each_key.find { |file| !self.class.held.key?(file) }

        def close_oldest
          oldest = idle or return false
          oldest.close
          true
        end

        def hold(how)
          @how = how
          @holder = Thread.current
          self.class.guard.synchronize { self.class.held[self] = true }
        end

        def would_wait_for_itself?(identity, how)
          self.class.held.each_key.any? do |other|
            !other.equal?(self) && other.holder == Thread.current && other.opened&.same_file?(identity) &&
              !(how == :shared && other.how == :shared)
          end
        end

        def lock(exclusive)
          @io.flock(exclusive ? File::LOCK_EX : File::LOCK_SH)
          @locked = true
        end

        # The tail first, behind what a reader of the old content looks at; a full
        # disk is noticed there.
        def overwrite(base, old, fresh, size, final_size)
          grown = base + fresh.bytesize - size
          put(fresh.byteslice(-grown, grown), size) if grown.positive?
          put(grown.positive? ? fresh.byteslice(0, fresh.bytesize - grown) : fresh, base)
          @io.truncate(final_size) if final_size < [size, base + fresh.bytesize].max
        rescue SystemCallError
          put_back(base, old, size)
          raise
        end

        def part(base, length)
          @io.seek(base)
          @io.read(length)
        end

        def put(bytes, at)
          @io.seek(at)
          @io.write(bytes)
        end

        def put_back(base, old, size)
          put(old, base)
          @io.truncate(size)
        rescue SystemCallError
          nil
        end
      end
    end
  end
end
