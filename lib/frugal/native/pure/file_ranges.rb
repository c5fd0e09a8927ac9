# frozen_string_literal: true

require_relative "turns"

module Frugal
  module Native
    module Pure
      # Locks of bytes of `@file`, which belong to the open file (F_OFD_SETLK).
      module FileRanges
        include Turns

        # The commands of fcntl on Linux, and struct flock on 64-bit machines.
        GET = 36
        SET = 37
        RANGE = "s2x4q2lx4"
        WRITE = 1
        UNLOCK = 2
        PRESENT = Platform::MRI && Platform::SYSTEM.match?(/(?:x86_64|aarch64)-linux/)
        private_constant :GET, :SET, :RANGE, :WRITE, :UNLOCK, :PRESENT

        private

        def lock_range(from, size)
          return unless PRESENT

          @file.fcntl(SET, [WRITE, 0, from, size, 0].pack(RANGE))
          true
        rescue Errno::EAGAIN, Errno::EACCES
          false
        rescue SystemCallError
          nil
        end

        def range_end(from, size)
          range = [WRITE, 0, from, size, 0].pack(RANGE)
          @file.fcntl(GET, range)
          type, _, start, bytes = range.unpack(RANGE)
          type == UNLOCK ? 0 : start + bytes
        rescue SystemCallError
          0
        end

        # Does nothing in a child process that has inherited the file: the locks belong to the parent process.
        def unlock_range(from, size)
          @file.fcntl(SET, [UNLOCK, 0, from, size, 0].pack(RANGE)) if PRESENT && !@file.closed? && @pid == Process.pid
        rescue SystemCallError
          nil
        end
      end
    end
  end
end
