# frozen_string_literal: true

require_relative "options"

module Frugal
  # A tree as it was, and what has come and gone in it since: all paths that a
  # {Walk#walk} would list, compared by the times of their directories.
  #
  #   snapshot = Frugal::TreeSnapshot.new("src", ext: "c")
  #   File.write("src/new.c", "")
  #   snapshot.refresh.added     # => ["src/new.c"]
  #   snapshot.refresh.empty?    # => true
  #
  # A directory whose device, inode, mtime and ctime are what they were is not
  # listed again. One that had changed just before it was listed (20 ms, or 2 s on
  # a file system that knows whole seconds only) may change again and keep its
  # times; so it is listed again by the next refresh, whatever they are. So is every
  # directory of a file system whose times prove nothing: of another machine's clock
  # (NFS, CIFS, 9p, FUSE), coarse (FAT), or not known. On an overlay it is listed
  # twice, 100 ms apart; under the pure engine each time.
  #
  # With <tt>gitignore: true</tt> the rules count as they are at each refresh: what
  # they leave out since the last one is told as removed, what they do not leave
  # out any more as added.
  #
  # It tells paths, not contents: writing to a file leaves its directory as it is,
  # and so does replacing it by a directory or a link of the same name. What has
  # come and gone between two refreshes is not told.
  #
  # Threads may share one. A child process has its own copy of it, unless the fork
  # was in the middle of a refresh: then refresh raises a RuntimeError there.
  class TreeSnapshot
    # What has come and gone. Both are sorted by their bytes, as Array#sort does
    # (a walk has "a/b" before "a-b"; here it is behind).
    class Changes
      # @return [Array<String>] paths as {Walk#walk} tells them
      attr_reader :added, :removed

      # @param added [Array<String>]
      # @param removed [Array<String>]
      def initialize(added, removed)
        @added = added.sort.freeze
        @removed = removed.sort.freeze
      end

      # Whether all is as it was.
      def empty? = @added.empty? && @removed.empty?

      def inspect = "#<#{self.class} #{@added.size} added, #{@removed.size} removed>"
    end

    # @param root [String, #to_path] a directory, or a link to one. Where it is
    #   missing the snapshot is empty, until a refresh finds it there.
    # @param follow [false] links to directories are listed, not followed
    # @param on_error [#call, nil] called here and by each refresh, with the path
    #   and the SystemCallError of each directory that cannot be read
    # The others are those of {Walk}.
    # @raise [SystemCallError] where the root itself cannot be read
    # @raise [UsageError] for an option's value that makes no sense
    # *Cost*: a walk, and one +fstat+ for each directory; two to ten calls about the root's
    # file system, one for each directory on another one.
    def initialize(root, glob: nil, ext: nil, prune: nil, hidden: false, gitignore: false, follow: false, threads: nil, on_error: nil)
      follow and raise UsageError, "follow: is false for a TreeSnapshot, not #{follow.inspect}: a link's directory changes elsewhere"
      @root = File.path(root).dup.freeze
      @options = Walk::Options.new(glob: glob, ext: ext, prune: prune, hidden: hidden, gitignore: gitignore, threads: threads, on_error: on_error)
      @lock = Mutex.new
      @tree = @options.snapshot(@root)
    end

    # What has come and gone since the last refresh, or since +new+. An exception,
    # such as an Interrupt, leaves the snapshot as it was; but for one of
    # +on_error+, which is called when all is done.
    #
    # @return [Changes]
    # @raise [SystemCallError] where the root is there and cannot be read
    # *Cost*, of the C engine: +open+, +fstat+ and +close+ of the root, and one
    # +fstatat+ for each other directory, relative to a descriptor near it: for
    # about 24 names on the way one +openat+ and +close+ more. For each directory
    # that has changed +openat+, +fstat+, +getdents+ (twice) and +close+. Outside
    # the VM lock, on threads; a String for each path that has come or gone, and no
    # other. With +gitignore:+ one +fstatat+ more for each .gitignore; what the root
    # lies in is read again, and so is each repository: its directory is listed, and
    # its rules are read. Where a .gitignore says something else than before, all
    # below it is listed anew. The pure engine asks one +lstat+ for each directory.
    def refresh
      @lock.synchronize do
        added, removed = @tree.refresh
        @options.report(@tree)
        Changes.new(@options.choose(@root, added), @options.choose(@root, removed))
      end
    end

    # @return [Array<String>] all paths of the last refresh, in the order of a walk
    # *Cost*: no system call.
    def paths
      @lock.synchronize { @options.choose(@root, @tree.to_a) }
    end

    def inspect = "#<#{self.class} #{@root}>"
  end
end
