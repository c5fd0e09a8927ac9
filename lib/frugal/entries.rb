# frozen_string_literal: true

require "digest"
require_relative "loader"
require_relative "error"
require_relative "native"
require_relative "entries/folder"
require_relative "entries/handle"

module Frugal
  # A directory with a small file for each key: the base of the session store and of the cache. The name of a file is
  # the SHA-256 of its key, in one of 256 partitions that are created when they are needed: `dir/ab/cdef…`. No
  # operation lists a directory, so its cost does not grow with the number of entries.
  #
  #   entries = Frugal::Entries.new("tmp/entries")
  #   digest = Frugal::Entries.digest("any key")
  #   entries.update(digest) do |handle|  # no other process writes meanwhile
  #     handle.write((handle.record&.bytes.to_i + 1).to_s)
  #   end
  #   entries.read(digest).bytes   # => "1"
  #
  # If a process is killed at any moment, the entry is either the old or the new one. The file system must have local
  # locks, so NFS does not work.
  #
  # *Cost*: {#read}: open, read, close (a file of more than 16 kB: open, read, fstat, read, close), or only open for a
  # miss; {#update} of an entry: open, flock, fstat, read, write, close. No exception, with the engines C and Java.
  class Entries
    include Folder

    # Seconds that a change waits for the lock of an entry, which others hold for microseconds.
    LOCK_WAIT = 5
    # The errors of open(2) for something that is not a readable file.
    UNUSABLE = [Errno::EACCES, Errno::EPERM, Errno::EISDIR, Errno::ELOOP, Errno::ENXIO].freeze
    # How many times a changing file is read before the lock is taken.
    READS = 20
    private_constant :READS

    # @return [String] the absolute path of the directory
    attr_reader :dir

    # @return [Integer] bytes; a larger file is not read
    attr_reader :largest_file

    # @param key [String]
    # @return [String] its hexadecimal SHA-256, the name of its file
    def self.digest(key) = Digest::SHA256.hexdigest(key)

    # Does not access the disk.
    #
    # @param dir [String, #to_path]
    # @param permissions [Integer] of new files, before the umask; users who can read the files can enter new
    #   directories
    # @param max_bytes [Integer] the largest payload
    def initialize(dir, permissions: 0o600, max_bytes: 1 << 26)
      @dir = ::File.expand_path(dir).freeze
      @permissions = permissions
      @max_bytes = max_bytes
      @largest_file = max_bytes + (1 << Format::LARGEST)
    end

    # Reads the present record, without a lock: a concurrent write is seen completely or not at all.
    #
    # @param digest [String] of the key
    # @return [Record, nil] nil for a miss, and for a file without a valid record
    # @raise [SystemCallError] for a fault, such as no more descriptors
    def read(digest)
      found = EntryFile.read(@dir, digest, @largest_file, READS, Record)
      found == false ? read_locked(digest) : found
    rescue *UNUSABLE, Errno::ESPIPE
      nil
    end

    # Opens an entry for several operations. The caller must close the handle.
    #
    # @return [Handle, nil] nil for a miss; {Handle#writable?} is false if the file may only be read
    # @raise [SystemCallError] one of {UNUSABLE} for something that is not a readable file
    def open(digest)
      file = begin
        EntryFile.open(@dir, digest)
      rescue Errno::EACCES, Errno::EROFS, Errno::EPERM
        EntryFile.open_read(@dir, digest)
      end
      file && Handle.new(self, digest, file)
    end

    # As {#open}, and creates an empty file for a miss.
    #
    # @return [Handle]
    def create(digest)
      Handle.new(self, digest, EntryFile.create(@dir, digest, @permissions) || created(digest))
    end

    # Yields the entry under its lock: {Handle#record} is the present record, {Handle#write} and {Handle#delete}
    # change it.
    #
    # @param create [Boolean] whether to create a file for a miss
    # @yieldparam handle [Handle]
    # @return [Object] the result of the block; nil for a miss without `create`; :busy if the lock was not free
    # @raise [SystemCallError]
    def update(digest, create: true, wait: LOCK_WAIT)
      limit = nil
      while (handle = create ? create(digest) : open(digest))
        begin
          result = handle.change(wait, close: true) { yield handle }
        ensure
          handle.close
        end
        return result unless result == :gone

        limit ||= Process.clock_gettime(Process::CLOCK_MONOTONIC) + wait
        return :busy if Process.clock_gettime(Process::CLOCK_MONOTONIC) > limit
      end
    end

    # Deletes an entry, under its lock, or something of that name that is not a readable file.
    #
    # @return [Boolean] whether there was an entry
    def delete(digest, wait: LOCK_WAIT)
      deleted = update(digest, create: false, wait: wait, &:delete)
      deleted == :busy ? unlink(digest) : !deleted.nil?
    rescue *UNUSABLE
      unlink(digest)
    end

    private

    # As {#read}, for a file that other processes write all the time.
    def read_locked(digest)
      handle = self.open(digest) or return
      handle.record if handle.load
    ensure
      handle&.close
    end
  end
end
