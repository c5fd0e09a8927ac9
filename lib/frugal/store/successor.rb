# frozen_string_literal: true

module Frugal
  class Store
    # A file that takes another's place by one rename: beside the target of a
    # symbolic link, with the rights of the old one, under one name that belongs to
    # whoever has the old one locked, so that a kill leaves one file at most.
    #
    #   Successor.put("a.store", bytes, true, [0o644, uid, gid]) { |io| keep(io) }
    #
    # Its bytes are on the disk before the rename, so that a power cut leaves one of
    # the two, whole. The rename itself is not waited for.
    #
    # Cost: 9 system calls, one of them fsync; 1 for each part of the path of a link.
    module Successor
      SUFFIX = ".frugal"
      # What a file system says that has no such operation, or a filter of system calls
      # that forbids it. A disk that fails says EIO, a full one ENOSPC.
      REFUSALS = [Errno::EPERM, Errno::EACCES, Errno::EINVAL, Errno::ENOSYS, Errno::EOPNOTSUPP].freeze
      FLAGS = File::RDWR | File::CREAT | File::EXCL | File::BINARY | (File.const_defined?(:NOFOLLOW) ? File::NOFOLLOW : 0)
      private_constant :FLAGS

      class << self
        # @param path [String] of the old file, locked by the caller
        # @param bytes [String]
        # @param follow [Boolean] a symbolic link
        # @param rights [Array(Integer, Integer, Integer)] mode, owner and group
        # @param sync [Boolean] false: a power cut may leave less than either
        # @yieldparam io [File] the new one, locked and in place
        # @raise [SystemCallError] nothing has changed then
        def put(path, bytes, follow, rights, sync: true)
          placed = kept = false
          target = follow && File.symlink?(path) ? File.realpath(path) : path
          target = File.expand_path(target) if RUBY_ENGINE == "jruby" # whose File#chmod does not follow Dir.chdir
          temporary = "#{target}#{SUFFIX}"
          io = create(temporary)
          fill(io, bytes)
          unless give(io, *rights)
            io.close
            io = create(temporary, rights.first)
            fill(io, bytes)
          end
          settle(io) if sync
          Thread.handle_interrupt(Object => :never) do # half way, its lock would stay
            File.rename(temporary, target)
            placed = true
            yield io
            kept = true
          end
        ensure
          discard(io, temporary) if io && !placed
          io.close if placed && !kept # or its lock would stay
        end

        # What lies there is left over: its owner would have the lock that the caller has.
        #
        # @param mode [Integer] its owner's alone, until it has the owner that it is to have
        # @return [File] new
        def create(temporary, mode = 0o600)
          File.new(temporary, FLAGS, mode)
        rescue Errno::EEXIST
          File.unlink(temporary)
          retry
        end

        # Only root may give a file away; a group of ours may be kept. Some mounts of FUSE
        # and CIFS let nobody set a mode: there, it is what a file is created with.
        #
        # @return [Boolean] whether the file has that mode
        def give(io, mode, owner, group)
          mine = stat(io)
          begin
            io.chown(owner, group) unless mine && mine.uid == owner && mine.gid == group
          rescue *REFUSALS
            nil
          end
          io.chmod(mode)
          true
        rescue *REFUSALS
          mine = stat(io)
          !mine.nil? && mine.mode & 0o7777 == mode
        end

        # Where nothing can be synced, the file is as safe as stock's.
        def settle(io)
          io.fsync
        rescue *REFUSALS
          nil
        end

        private

        # @return [File::Stat, nil] nil: Ruby 4.0 asks by statx, which a filter of system calls may refuse
        def stat(io)
          io.stat
        rescue *REFUSALS
          nil
        end

        def fill(io, bytes)
          io.flock(File::LOCK_EX) # from its first moment in place, it is ours
          rest = bytes
          rest = rest.byteslice(io.syswrite(rest)..) until rest.empty?
        end

        def discard(io, temporary)
          File.unlink(temporary)
        rescue SystemCallError
          nil
        ensure
          io.close
        end
      end
    end
  end
end
