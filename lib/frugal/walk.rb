# frozen_string_literal: true

require_relative "walk/options"
require_relative "walk/path_list"
require_relative "walk/tree_snapshot"

module Frugal
  # All that lies below a directory, read by several threads, in a known order.
  #
  #   Frugal.walk("src", ext: "c").each { |path| puts path }
  #   Frugal.walk("src", stat: %i[mtime size]).column(:size).sum
  #   Frugal.count("/usr")
  #
  # +walk(root).to_a+ is <tt>Dir.glob("#{root}/**/*")</tt>: pre-order, siblings in
  # byte order, the root left out, the same whatever the number of threads. A
  # directory that cannot be read is listed, told to +on_error+, and not entered.
  #
  # Options of all three methods:
  # [glob:]      only what Dir.glob would find below the root; one or several
  # [ext:]       only names that end so: <tt>"c"</tt>, or <tt>%w[c h]</tt>
  # [prune:]     names or globs of directories that are listed, but not entered
  # [hidden:]    names that begin with a dot too
  # [gitignore:] +true+ leaves out what git ignores, and each .git; see below
  # [follow:]    what is done with links to directories: +false+ lists them,
  #              +:paths+ enters them as <tt>find -L</tt> (but for a directory that is
  #              its own ancestor, which is only listed),
  #              +:once+ enters each directory once, by its real path where it has one
  # [stat:]      +:mtime+, +:size+ or both: columns beside the paths
  # [sort:]      +false+ leaves siblings as the file system has them
  # [threads:]   at most so many; as many as help, unless it is said
  # [on_error:]  called with the path and the SystemCallError of each directory
  #              that could not be read
  #
  # With <tt>gitignore: true</tt> a walk lists what <tt>git ls-files -co --exclude-standard</tt>
  # would, and its directories: the .gitignore of each directory counts for all
  # below it, those above the root up to its repository's too, and that one's
  # info/exclude. So nothing is listed below a root that is ignored itself. What
  # else is as git has it: an ignored directory is not entered; a .gitignore that
  # is a link is not followed; a link to a directory is no directory, and what is
  # reached by it goes by that path; a repository in another one has rules of its
  # own only. What is not: the index does not count (a tracked file that is
  # ignored is left out), nor does what the user's own settings name
  # (core.excludesFile, core.ignoreCase). Without a repository the .gitignore
  # files from the root on count. One that cannot be read is told to +on_error+.
  #
  # *Cost*, of the C engine: for each directory one +openat+ relative to its
  # parent, +getdents+ until it is empty (twice), one +close+; one +fstat+ more
  # where links are followed; one +fstatat+ for each entry with +stat:+. No
  # exception, outside the VM lock. With +gitignore:+ one +openat+, +fstat+, +read+
  # and +close+ more for each .gitignore, and none for a directory without one; at
  # the start one +lstat+ of the root; where that is no repository's, one +readlink+,
  # an +lstat+ for each directory above it up to its repository's, and then an
  # +openat+ for the .gitignore of each; for each repository one +lstat+, and its
  # info/exclude. The pure engine asks what Dir and File ask.
  module Walk
    # @param root [String, #to_path] a directory, or a link to one
    # @return [PathList, nil] nil where there is no such directory
    # @raise [SystemCallError] where the root itself cannot be read
    # @raise [UsageError] for an option's value that makes no sense
    def walk(root, **options)
      Options.new(**options).list(root)
    end

    # How many paths {#walk} would list.
    #
    # @return [Integer, nil]
    # *Cost*: as {#walk}, and no string.
    def count(root, **options)
      Options.new(**options, sort: false).list(root)&.size
    end

    # Yields each path that {#walk} would list. With <tt>sort: false</tt> it begins
    # while others are still being read; +break+ and exceptions end that at once.
    #
    # @return [Enumerator] without a block
    # @return [true, nil] nil where there is no such directory
    def each_path(root, **options, &block)
      return enum_for(:each_path, root, **options) unless block

      Options.new(**options).each(root, &block)
    end
  end
end
