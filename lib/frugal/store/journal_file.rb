# frozen_string_literal: true

require_relative "../native"
require_relative "successor"

module Frugal
  class Store
    # How the file of a {Journal} comes to be, is opened, and reaches the disk.
    module JournalFile
      FLAGS = File::RDWR | File::BINARY | (File.const_defined?(:NOFOLLOW) ? File::NOFOLLOW : 0)
      F_FULLFSYNC = 51 # of macOS, whose fsync leaves data in the disk's own memory
      private_constant :FLAGS, :F_FULLFSYNC

      class << self
        # @return [File, nil] nil where there is none
        def open(name)
          return if Native.engine.size(name).nil? # no exception for what most stores have not

          begin
            File.new(name, FLAGS)
          rescue Errno::EACCES, Errno::EROFS # who may only read the store
            File.new(name, FLAGS & ~File::RDWR)
          end
        rescue Errno::ENOENT, Errno::ENAMETOOLONG # a store's own name may just fit
          nil
        end

        # A file of zeros, on the disk before it has its name: a sync has no sizes and
        # blocks to take along.
        #
        # @param size [Integer] bytes
        # @param rights [Array(Integer, Integer, Integer)] its mode, owner and group
        def make(name, size, rights)
          temporary = "#{name}.new"
          io = Successor.create(temporary)
          unless Successor.give(io, *rights)
            io.close
            io = Successor.create(temporary, rights.first)
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

        # Waits until what was written to a file is on the disk. JRuby has no fdatasync,
        # and a filter of system calls may know fsync alone.
        def sync(io)
          if RUBY_PLATFORM.include?("darwin") then io.fcntl(F_FULLFSYNC)
          elsif io.respond_to?(:fdatasync) then sync_data(io)
          else io.fsync
          end
        end

        private

        def sync_data(io)
          io.fdatasync
        rescue *Successor::REFUSALS
          io.fsync
        end

        # JRuby opens no directory, and some file systems sync none; there, the name
        # comes to the disk in its time.
        def sync_folder(folder)
          File.open(folder, &:fsync)
        rescue Errno::EINVAL
          nil
        rescue Errno::EISDIR, Errno::EACCES
          raise unless RUBY_ENGINE == "jruby"
        end
      end
    end
  end
end
