# frozen_string_literal: true

require_relative "../native"

module Frugal
  class Entries
    EntryFile = Native.engine::EntryFile
    private_constant :EntryFile

    # The part of {Entries} that names, creates, moves and removes files.
    module Folder
      # @api private
      # @return [Boolean] whether there was a file
      def unlink(digest)
        ::File.unlink(path(digest))
        true
      rescue Errno::ENOENT, Errno::ENOTDIR
        false
      end

      # @api private
      # Removes the content of a file, under its lock.
      #
      # @return [true]
      # @raise [SystemCallError]
      def empty(digest) = ::File.truncate(path(digest), 0).zero?

      # Moves a file that is not an entry to `dir/quarantine`.
      #
      # @param reason [Symbol] becomes a part of its name there
      # @return [Boolean] whether it was moved
      def quarantine(digest, reason)
        to = "#{@dir}/quarantine/#{digest}.#{reason}.#{Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond)}"
        make(::File.dirname(to))
        ::File.rename(path(digest), to)
        true
      rescue SystemCallError
        false
      end

      # @api private
      # Yields a new file beside the entry's file, and a procedure that renames it to the entry's name. The caller holds
      # the entry's lock, so an existing new file belongs to a killed process.
      def with_new_file(digest)
        path = path(digest)
        name = "#{path}.new"
        renamed = false
        file = fresh(name)
        yield file, -> { renamed = ::File.rename(name, path) }
      ensure
        if file && !renamed
          file.close
          ::File.unlink(name)
        end
      end

      # @return [String]
      def path(digest) = "#{@dir}/#{digest[0, 2]}/#{digest[2..]}"

      private

      def fresh(name)
        EntryFile.create_new(name, @permissions) || raise(Errno::ENOENT, name)
      rescue Errno::EEXIST
        ::File.unlink(name)
        retry
      end

      # Creates a file whose directories are missing.
      def created(digest)
        3.times do # another process may remove a partition meanwhile
          make(::File.dirname(path(digest)))
          file = EntryFile.create(@dir, digest, @permissions)
          return file if file
        end
        raise Errno::ENOENT, path(digest)
      end

      def make(dir)
        Dir.mkdir(dir, @permissions | ((@permissions & 0o444) >> 2))
      rescue Errno::EEXIST
        nil
      rescue Errno::ENOENT
        make(::File.dirname(dir))
        retry
      end
    end
  end
end
