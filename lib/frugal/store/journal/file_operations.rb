# frozen_string_literal: true

require_relative "../../native"
require_relative "../file/atomic_replace"

module Frugal
  class Store
    class Journal
      # Creates, opens and syncs the file of a {Journal}.
      module FileOperations
        FLAGS = File::RDWR | File::BINARY | Platform::O_NOFOLLOW
        F_FULLFSYNC = 51 # for macOS, whose fsync leaves data in the cache of the disk
        private_constant :FLAGS, :F_FULLFSYNC

        class << self
          # @return [File, nil] nil if the file does not exist
          def open(name)
            return if Native.engine.size(name).nil? # most stores have no journal: a miss without an exception

            begin
              File.new(name, FLAGS)
            rescue Errno::EACCES, Errno::EROFS # this process may only read the store
              File.new(name, FLAGS & ~File::RDWR)
            end
          rescue Errno::ENOENT, Errno::ENAMETOOLONG # the suffix may make the store's name too long
            nil
          end

          # Creates a file of zeros and syncs it before the rename, so later syncs need not write
          # its size or its block map.
          #
          # @param size [Integer] bytes
          # @param rights [Array(Integer, Integer, Integer)] its mode, owner and group
          def make(name, size, rights)
            temporary = "#{name}.new"
            io = AtomicReplace.create(temporary)
            unless AtomicReplace.set_rights(io, *rights)
              io.close
              io = AtomicReplace.create(temporary, rights.first)
            end
            io.write("\0" * size)
            io.fsync
            File.rename(temporary, name)
            sync_folder(File.dirname(name))
          rescue SystemCallError
            File.unlink(temporary) if File.exist?(temporary)
            raise
          ensure
            io&.close
          end

          # Returns when all writes to the file are on the disk. JRuby has no fdatasync, and a
          # filter of system calls may allow only fsync.
          def sync(io)
            if Platform::MACOS then io.fcntl(F_FULLFSYNC)
            elsif io.respond_to?(:fdatasync) then sync_data(io)
            else io.fsync
            end
          end

          private

          def sync_data(io)
            io.fdatasync
          rescue *AtomicReplace::REFUSALS
            io.fsync
          end

          # JRuby cannot open a directory, and some file systems cannot sync a directory. In these
          # cases the system writes the name to the disk later.
          def sync_folder(folder)
            File.open(folder, &:fsync)
          rescue Errno::EINVAL
            nil
          rescue Errno::EISDIR, Errno::EACCES
            raise unless Platform::JRUBY
          end
        end
      end
    end
  end
end
