# frozen_string_literal: true

require_relative "options"

module Frugal
  # Remembers all paths that a {Walk#walk} lists, and reports which were added or
  # removed since. Finds them by comparing the times of the directories.
  #
  #   snapshot = Frugal::TreeSnapshot.new("src", ext: "c")
  #   File.write("src/new.c", "")
  #   snapshot.refresh.added     # => ["src/new.c"]
  #   snapshot.refresh.empty?    # => true
  #
  # A refresh does not list a directory again if its device, inode, mtime and ctime are
  # unchanged. There are two exceptions. A directory that changed just before it was
  # listed (20 ms, or 2 s on a file system that stores whole seconds only) may change
  # again without a change of its times, so the next refresh always lists it. A directory
  # on a file system whose times are not reliable is listed by every refresh: times of
  # another machine's clock (NFS, CIFS, 9p, FUSE), coarse times (FAT), unknown file
  # systems. On an overlay file system a directory is listed twice, 100 ms apart; under
  # the Java and the pure engine by every refresh.
  #
  # With `gitignore: true` each refresh applies the current rules: paths that they newly
  # ignore are reported as removed, paths that they no longer ignore as added.
  #
  # A snapshot compares paths, not contents. It does not report a write to a file, the replacement of a
  # file by a directory or a link of the same name, or a path that was created and removed between two
  # refreshes.
  #
  # Threads may share a snapshot. After a fork, the child process has its own copy; if
  # the fork happened during a refresh, refresh raises a RuntimeError in the child.
  class TreeSnapshot
    # The paths that were added and removed. Both lists are sorted by bytes, as Array#sort
    # does (so "a-b" comes before "a/b"; in a walk it comes after).
    class Changes
      # @return [Array<String>] paths as {Walk#walk} lists them
      attr_reader :added, :removed

      # @param added [Array<String>]
      # @param removed [Array<String>]
      def initialize(added, removed)
        @added = added.sort.freeze
        @removed = removed.sort.freeze
      end

      # Whether nothing was added or removed.
      def empty? = @added.empty? && @removed.empty?

      # @return [String] the class and how many paths were added and removed
      def inspect = "#<#{self.class} #{@added.size} added, #{@removed.size} removed>"
    end

    # The options are those of {Walk}, except for `follow:`, `stat:` and `sort:`.
    #
    # *Cost*: a walk, and one `fstat` for each directory; two to ten calls about the root's
    # file system, and one for each directory on another file system.
    #
    # @param root [String, #to_path] a directory, or a link to one. If it does not exist,
    #   the snapshot is empty until a refresh finds it.
    # @param follow [false] links to directories are listed, not followed
    # @param on_error [#call, nil] called here and by each refresh, with the path
    #   and the SystemCallError of each directory that cannot be read
    # @raise [SystemCallError] if the root itself cannot be read
    # @raise [UsageError] for an invalid option
    def initialize(root, glob: nil, ext: nil, prune: nil, hidden: false, gitignore: false, follow: false, threads: nil,
                   on_error: nil)
      raise UsageError, "follow: must be false for a TreeSnapshot (got #{follow.inspect})" if follow

      @root = File.path(root).dup.freeze
      @options = Walk::Options.new(glob: glob, ext: ext, prune: prune, hidden: hidden, gitignore: gitignore,
                                   threads: threads, on_error: on_error)
      @lock = Mutex.new
      @tree = @options.snapshot(@root)
    end

    # The paths that were added or removed since the last refresh, or since `new`. An
    # exception, such as an Interrupt, leaves the snapshot as it was. An exception of
    # `on_error` does not: it is called after the snapshot was updated.
    #
    # *Cost*, of the C engine: `open`, `fstat` and `close` of the root, and one `fstatat`
    # for each other directory, relative to a descriptor near it; one `openat` and `close`
    # more for about every 24 names of depth. For each directory that has changed `openat`,
    # `fstat`, `getdents` (twice) and `close`. Without the VM lock, on several threads;
    # allocates a String only for each path that was added or removed. With `gitignore:`
    # one `fstatat` more for each .gitignore; the rules of the directories above the root
    # are read again, and each repository's directory is listed and its rules are read.
    # After a change of a .gitignore everything below it is listed again. The Java engine
    # makes the same calls, each `fstatat` by the path from the root, on one thread. The
    # pure engine costs one `lstat` for each directory.
    #
    # @return [Changes]
    # @raise [SystemCallError] if the root exists but cannot be read
    def refresh
      @lock.synchronize do
        added, removed = @tree.refresh
        @options.report(@tree)
        Changes.new(@options.choose(@root, added), @options.choose(@root, removed))
      end
    end

    # All paths that the last refresh found.
    #
    # *Cost*: no system call.
    #
    # @return [Array<String>] in the order of a walk
    def paths
      @lock.synchronize { @options.choose(@root, @tree.to_a) }
    end

    # @return [String] the class and the root
    def inspect = "#<#{self.class} #{@root}>"
  end
end
