# frozen_string_literal: true

require_relative "../../platform"

module Frugal
  class Store
    # Replaces a file atomically: writes a new file beside it and renames the new file over the old one.
    #
    #   AtomicReplace.put("a.store", bytes, true, [0o644, uid, gid]) { |io| keep(io) }
    #
    # The new file gets the rights of the old one. For a symbolic link, its target is
    # replaced. The temporary name is always the same, and only the process that has locked
    # the old file uses it, so a kill leaves at most one temporary file.
    #
    # The bytes are synced before the rename: a power cut leaves the old content or the
    # new one. The rename itself is not synced.
    #
    # *Cost*: 9 system calls, one of them fsync; for a symbolic link, 1 more for each part of its path.
    module AtomicReplace
      SUFFIX = ".frugal"
      # Errors of an operation that a file system does not support, or that a filter of system
      # calls forbids. A failing disk raises EIO, a full disk ENOSPC.
      REFUSALS = [Errno::EPERM, Errno::EACCES, Errno::EINVAL, Errno::ENOSYS, Errno::EOPNOTSUPP].freeze
      FLAGS = File::RDWR | File::CREAT | File::EXCL | File::BINARY | Platform::O_NOFOLLOW
      private_constant :FLAGS

      class << self
        # @param path [String] of the old file, locked by the caller
        # @param bytes [String]
        # @param follow [Boolean] whether to follow a symbolic link
        # @param rights [Array(Integer, Integer, Integer)] mode, owner and group
        # @param sync [Boolean] if false, a power cut may leave neither content complete
        # @yieldparam io [File] the new file, locked and in place
        # @raise [SystemCallError] after which nothing has changed
        def put(path, bytes, follow, rights, sync: true)
          placed = kept = false
          target = target(path, follow)
          temporary = "#{target}#{SUFFIX}"
          io = create(temporary)
          fill(io, bytes)
          unless set_rights(io, *rights)
            io.close
            io = create(temporary, rights.first)
            fill(io, bytes)
          end
          sync_file(io) if sync
          Thread.handle_interrupt(Object => :never) do # an interrupt here would leave the new file locked
            File.rename(temporary, target)
            placed = true
            yield io
            kept = true
          end
        ensure
          discard(io, temporary) if io && !placed
          io.close if placed && !kept # otherwise the file would stay locked
        end

        # Creates the temporary file. An existing file of that name belongs to a killed process,
        # because a living process would hold the caller's lock.
        #
        # @param mode [Integer] by default, no access for others until the file has its final owner
        # @return [File] a new file
        def create(temporary, mode = 0o600)
          File.new(temporary, FLAGS, mode)
        rescue Errno::EEXIST
          File.unlink(temporary)
          retry
        end

        # Sets owner, group and mode. Only root may change the owner; other processes may set
        # a group that they belong to. Some FUSE and CIFS mounts do not allow chmod: there, a
        # file keeps the mode that it was created with.
        #
        # @return [Boolean] whether the file has that mode now
        def set_rights(io, mode, owner, group)
          current = stat(io)
          begin
            io.chown(owner, group) unless current && current.uid == owner && current.gid == group
          rescue *REFUSALS
            nil
          end
          io.chmod(mode)
          true
        rescue *REFUSALS
          current = stat(io)
          !current.nil? && current.mode & 0o7777 == mode
        end

        private

        def target(path, follow)
          target = follow && File.symlink?(path) ? File.realpath(path) : path
          Platform::JRUBY ? File.expand_path(target) : target # JRuby's File#chmod ignores Dir.chdir
        end

        # If the file system cannot sync, the file is as safe as with stock.
        def sync_file(io)
          io.fsync
        rescue *REFUSALS
          nil
        end

        # @return [File::Stat, nil] nil if a filter of system calls refuses statx, which Ruby 4.0 uses
        def stat(io)
          io.stat
        rescue *REFUSALS
          nil
        end

        def fill(io, bytes)
          io.flock(File::LOCK_EX) # before the rename, so no other process can lock it first
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
