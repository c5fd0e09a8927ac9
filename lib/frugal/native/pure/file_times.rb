# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The twin of core/file_system.c: what the times of files prove on a file
      # system. Its type is known by name, as /proc tells it for the mount or the
      # device of an open file; what cannot be asked proves nothing.
      #
      #   FileTimes.ticks?(io)  # => true: its times are of this kernel's clock, to the tick
      module FileTimes
        MOUNTS = "/proc/self/mountinfo"
        # Those that keep nanoseconds, by the clock of this kernel. A disk format of whole
        # seconds (ext2, ext4 with inodes of 128 bytes) shows in the times.
        TYPES = %w[btrfs devtmpfs ext2 ext3 ext4 f2fs tmpfs xfs zfs].freeze
        # What the kernel itself looks at, however late its tick is.
        CLOCK = Process.const_get(%i[CLOCK_REALTIME_COARSE CLOCK_REALTIME].find { |name| Process.const_defined?(name) })
        TICK = 10_000_000 # ns, at most
        SECOND = 1_000_000_000
        MRI = RUBY_ENGINE == "ruby"
        APFS = RUBY_PLATFORM.include?("darwin")
        private_constant :MOUNTS, :TYPES, :TICK, :MRI, :APFS

        class << self
          # The answer holds as long as the file is open.
          #
          # @param io [IO]
          # @return [Boolean]
          def ticks?(io)
            return io.stat.dev == File.stat("/System/Volumes/Data").dev if APFS # that one is always APFS

            ticks_in?(*mount_of(io))
          rescue SystemCallError, IOError
            false
          end

          # The same of a path, also of a directory, which JRuby cannot open.
          #
          # @param device [Integer] the number of its device
          def ticks_at?(path, device)
            return ticks_in?(2, number(device)) unless MRI || APFS

            File.open(path, File::RDONLY | File::NONBLOCK) { |io| ticks?(io) }
          rescue SystemCallError
            false
          end

          # @return [Integer] ns
          def now = Process.clock_gettime(CLOCK, :nanosecond)

          # Whether what changes from now on gets a later time than these, which are of ticks.
          #
          # @param mtime [Integer] in ns
          # @param ctime [Integer] in ns; the mtime may be anybody's
          def past?(mtime, ctime) = (ctime % SECOND).positive? && now - [mtime, ctime].max > 2 * TICK

          private

          # @param column [Integer] of mountinfo, and what stands there
          def ticks_in?(column, wanted)
            line = wanted && mounts.find { |mount| mount.split(" ", 4)[column] == wanted }
            !line.nil? && TYPES.include?(line[/ - (\S+) /, 1])
          end

          # A file of /proc has content, and a size of 0.
          def mounts = File.size(MOUNTS).zero? ? File.readlines(MOUNTS, encoding: Encoding::BINARY) : []

          # JRuby's numbers of descriptors may not be the kernel's. There, the device tells:
          # as long as the file is open no other file system has its number.
          #
          # @return [Array(Integer, String)] a column of mountinfo, and what stands there
          def mount_of(io)
            return [0, File.read("/proc/self/fdinfo/#{io.fileno}")[/^mnt_id:\s*(\d+)$/, 1]] if MRI

            [2, number(io.stat.dev)]
          end

          # As /proc writes it; JRuby's dev_major is of another system.
          def number(device)
            "#{(device >> 8 & 0xfff) | (device >> 32 & ~0xfff)}:#{(device & 0xff) | (device >> 12 & ~0xff)}"
          end
        end
      end
    end
  end
end
