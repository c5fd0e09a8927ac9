# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The pure twin of core/system/file_system.c: finds out whether a file system stores
      # reliable times. Looks up its type in /proc, by the mount or the device of an open file.
      # If that is not possible, the times are not reliable.
      #
      #   FileTimes.ticks?(io)  # => true: its times come from this kernel's clock
      module FileTimes
        MOUNTS = "/proc/self/mountinfo"
        # File systems that store nanoseconds of this kernel's clock. ext2, and ext4 with inodes
        # of 128 bytes, store whole seconds; {past?} recognizes that from the times.
        TYPES = %w[btrfs devtmpfs ext2 ext3 ext4 f2fs tmpfs xfs zfs].freeze
        # The clock that the kernel uses for the times of files; it advances with each tick.
        CLOCK = Process.const_get(
          %i[CLOCK_REALTIME_COARSE CLOCK_REALTIME].find { |name| Process.const_defined?(name) }
        )
        # File systems in which each change after a stat gets a different time, since Linux 6.13.
        EXACT_TYPES = %w[btrfs ext4 tmpfs xfs].freeze
        TICK = 10_000_000 # ns, at most
        SECOND = 1_000_000_000
        private_constant :MOUNTS, :TYPES, :EXACT_TYPES, :TICK

        class << self
          # Reports whether the times of an open file advance with this kernel's clock. Valid as
          # long as the file is open.
          #
          # @param io [IO]
          # @return [Boolean]
          def ticks?(io)
            return io.stat.dev == File.stat("/System/Volumes/Data").dev if Platform::MACOS # that volume is always APFS

            ticks_in?(*mount_of(io))
          rescue SystemCallError, IOError
            false
          end

          # The same for a path, which may be a directory (JRuby cannot open a directory).
          #
          # @param device [Integer] the number of its device
          def ticks_at?(path, device)
            return ticks_in?(2, number(device)) unless Platform::MRI || Platform::MACOS

            File.open(path, File::RDONLY | File::NONBLOCK) { |io| ticks?(io) }
          rescue SystemCallError
            false
          end

          # @param device [Integer] the number of the device of an open file
          # @return [Symbol, nil] `:exact` if any change after a stat gets a different time; `:ticks` as {ticks?}
          def of_device(device)
            type = type_in(2, number(device))
            return unless TYPES.include?(type)

            EXACT_TYPES.include?(type) && exact_kernel? ? :exact : :ticks
          rescue SystemCallError
            nil
          end

          # @return [Integer] ns
          def now = Process.clock_gettime(CLOCK, :nanosecond)

          # Reports whether any later change of the file gets a later time than these. Only for
          # times that advance with the clock, see {ticks?}.
          #
          # @param mtime [Integer] in ns; a program can set it to any value
          # @param ctime [Integer] in ns
          def past?(mtime, ctime) = (ctime % SECOND).positive? && now - [mtime, ctime].max > 2 * TICK

          private

          # @param column [Integer] a column of mountinfo
          # @param wanted [String, nil] the value in that column
          def ticks_in?(column, wanted) = TYPES.include?(type_in(column, wanted))

          # @return [String, nil] the type of the file system
          def type_in(column, wanted)
            line = wanted && mounts.find { |mount| mount.split(" ", 4)[column] == wanted }
            line && line[/ - (\S+) /, 1]
          end

          def exact_kernel?
            release = File.read("/proc/sys/kernel/osrelease").split(".").first(2).map(&:to_i)
            (release <=> [6, 13]) >= 0
          end

          # The file of a real /proc has a size of 0, although it has content.
          def mounts = File.size(MOUNTS).zero? ? File.readlines(MOUNTS, encoding: Encoding::BINARY) : []

          # JRuby's numbers of descriptors are different, so it uses the device: as long as the
          # file is open, no other file system gets the same device number.
          #
          # @return [Array(Integer, String)] a column of mountinfo, and the value in it
          def mount_of(io)
            return [0, File.read("/proc/self/fdinfo/#{io.fileno}")[/^mnt_id:\s*(\d+)$/, 1]] if Platform::MRI

            [2, number(io.stat.dev)]
          end

          # The device number in the format of /proc; JRuby's dev_major computes a different number.
          def number(device)
            "#{(device >> 8 & 0xfff) | (device >> 32 & ~0xfff)}:#{(device & 0xff) | (device >> 12 & ~0xff)}"
          end
        end
      end
    end
  end
end
