# frozen_string_literal: true

require_relative "beneath_file"

module Frugal
  module Native
    module Pure
      # The twin of the C class of this name: an open file with one entry.
      class EntryFile
        FLAGS = File::BINARY | File::NONBLOCK | File::NOCTTY |
                (File.const_defined?(:NOFOLLOW) ? File::NOFOLLOW : 0) # JRuby has none
        # The lock of an open file on 64-bit Linux: fcntl's command, and a struct flock for the whole file.
        SET_TURN = 37
        TURN = [1, 0, 0, 0, 0].pack("s2x4q2lx4").freeze
        HAS_TURNS = RUBY_ENGINE == "ruby" && RUBY_PLATFORM.match?(/(?:x86_64|aarch64)-linux/)
        DESCRIPTORS = BeneathFile::DESCRIPTORS
        private_constant :FLAGS, :SET_TURN, :TURN, :HAS_TURNS, :DESCRIPTORS

        class << self
          def open(path) = of(path, File::RDWR)

          def open_read(path) = of(path, File::RDONLY)

          def create(path, permissions) = of(path, File::RDWR | File::CREAT, permissions)

          def create_new(path, permissions) = of(path, File::RDWR | File::CREAT | File::EXCL, permissions)

          private

          def of(path, flags, permissions = 0)
            raise Errno::ELOOP, path if File.symlink?(path) && !File.const_defined?(:NOFOLLOW)

            new(File.open(path, flags | FLAGS, permissions), flags & File::RDWR != 0)
          rescue Errno::ENOENT, Errno::ENOTDIR
            nil
          end
        end
        private_class_method :new

        def initialize(file, writable)
          @file = file
          @writable = writable
        end

        def try_lock = @file.flock(File::LOCK_EX | File::LOCK_NB) == 0

        def unlock
          @file.flock(File::LOCK_UN)
          nil
        end

        def try_turn
          return unless HAS_TURNS

          @file.fcntl(SET_TURN, TURN.dup)
          true
        rescue Errno::EAGAIN, Errno::EACCES
          false
        rescue SystemCallError
          nil
        end

        def examine
          @stat = @file.stat
          self
        end

        def size = @stat.size
        def mtime = @stat.mtime.to_f
        def linked? = @stat.nlink.positive?
        def regular? = @stat.file?
        def writable? = @writable

        def read(offset, length)
          @file.pread(length, offset)
        rescue EOFError
          String.new
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

        def close = @file.close
        def closed? = @file.closed?
      end
    end
  end
end
