# frozen_string_literal: true

require_relative "beneath_file"
require_relative "entry_image"
require_relative "file_ranges"

module Frugal
  module Native
    module Pure
      # The pure twin of the C class of this name: an open file with one entry.
      class EntryFile
        include FileRanges

        FLAGS = File::BINARY | File::NONBLOCK | File::NOCTTY | Platform::O_NOFOLLOW
        DESCRIPTORS = BeneathFile::DESCRIPTORS
        DIGEST = /\A\h{64}\z/
        private_constant :FLAGS, :DESCRIPTORS, :DIGEST

        class << self
          def open(dir, digest) = of(path(dir, digest), File::RDWR)

          def open_read(dir, digest) = of(path(dir, digest), File::RDONLY)

          def create(dir, digest, permissions) = of(path(dir, digest), File::RDWR | File::CREAT, permissions)

          def create_new(path, permissions) = of(path, File::RDWR | File::CREAT | File::EXCL, permissions)

          # @return [Struct, nil, false] as {#load}; nil if there is no record; false if the file was being written
          def read(dir, digest, largest, reads, klass)
            file = opened(path(dir, digest), File::RDONLY) or return
            image = EntryImage.new(file, digest, klass).read(largest, reads, examines: false)
            image.problem == :changing ? false : image.record
          ensure
            file&.close
          end

          private

          def path(dir, digest)
            raise ArgumentError, "not a hexadecimal SHA-256" unless DIGEST.match?(digest)

            "#{dir}/#{digest[0, 2]}/#{digest[2..]}"
          end

          def of(path, flags, permissions = 0)
            file = opened(path, flags, permissions)
            file && new(file, flags & File::RDWR != 0)
          end

          def opened(path, flags, permissions = 0)
            raise Errno::ELOOP, path if File.symlink?(path) && Platform::O_NOFOLLOW.zero?

            # Thread#kill during File.open would leave a descriptor that no object closes.
            Thread.handle_interrupt(Object => :never) { File.open(path, flags | FLAGS, permissions) }
          rescue Errno::ENOENT, Errno::ENOTDIR
            nil
          end
        end
        private_class_method :new

        # @return [String] the first 16 bytes, as of the last read
        attr_reader :head

        def initialize(file, writable)
          @file = file
          @writable = writable
          @locked = false # whether it may have a lock
          @pid = Process.pid
        end

        def try_lock
          locked = @file.flock(File::LOCK_EX | File::LOCK_NB) == 0
          @locked = true if locked
          locked
        end

        def try_turn
          taken = super
          @locked = true if taken
          taken
        end

        def wait_turn(seconds, most)
          taken = super
          @locked = true if taken
          taken
        end

        def wait_lock(seconds)
          limit = seconds && (now + seconds)
          pause, longest = PAUSES
          until (taken = try_lock) || (limit && now >= limit)
            sleep(pause * (0.5 + rand)) # random, so processes that wait together do not ask together
            pause = [pause * 2, longest].min
          end
          taken
        end

        def unlock
          @file.flock(File::LOCK_UN) if @pid == Process.pid
          nil
        end

        def mtime = @stat.mtime.to_f
        def writable? = @writable

        # @return [Symbol, nil] why the last {#load} has found no record: `:empty`, `:foreign`, `:damaged`, `:huge`
        #   (more than `largest` bytes), `:special`; `:unlinked` if the file no longer has a name; `:changing` if it was
        #   being written at each of `reads` reads
        attr_reader :problem

        # @return [Struct, nil] the newest valid record, an object of `klass`; nil if there is none
        def load(digest, largest, reads, klass)
          image = EntryImage.new(@file, digest, klass).read(largest, reads, examines: true)
          @stat = image.stat
          seen(image)
        end

        # @return [Struct, nil] as {#load}, under the lock and by one call; nil if {#load} must be called to get the
        #   result
        def reload(digest, klass)
          image = EntryImage.new(@file, digest, klass)
          seen(image) if image.reread(@used)
        end

        def write(bytes, offset)
          bytes = bytes.b
          while bytes.bytesize.positive?
            wrote = @file.pwrite(bytes, offset)
            offset += wrote
            bytes = bytes.byteslice(wrote..)
          end
        end

        def touch
          now = Time.now
          File.utime(now, now, DESCRIPTORS ? "#{DESCRIPTORS}/#{@file.fileno}" : @file.path)
          nil
        end

        # Unlocks the file first, since a fork may have copied the descriptor. Thread#kill during IO#close would leave
        # the descriptor open forever, and its locks held.
        def close
          Thread.handle_interrupt(Object => :never) do
            unlock_all if @locked && !@file.closed?
            @file.close
          end
        end

        def closed? = @file.closed?

        private

        def unlock_all
          end_turn
          unlock
        end

        def seen(image)
          @used = image.content.bytesize
          @head = image.content.byteslice(0, EntryRecord::HEAD) if @used >= EntryRecord::HEAD
          @problem = image.problem
          image.record
        end
      end
    end
  end
end
