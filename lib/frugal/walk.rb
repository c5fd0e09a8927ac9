# frozen_string_literal: true

require_relative "walk/options"
require_relative "walk/path_list"
require_relative "walk/tree_snapshot"

module Frugal
  # Lists everything below a directory, with several threads, in a fixed order.
  #
  #   Frugal.walk("src", ext: "c").each { |path| puts path }
  #   Frugal.walk("src", stat: %i[mtime size]).column(:size).sum
  #   Frugal.count("/usr")
  #
  # `walk(root).to_a` equals `Dir.glob("#{root}/**/*")`: a directory comes before its
  # entries, siblings are in byte order, the root itself is not listed. The number of
  # threads does not change the order. A directory that cannot be read is listed, but
  # not entered, and reported to `on_error:`.
  #
  # Options of all three methods:
  #
  # - `glob:` lists only what Dir.glob would find below the root with this pattern, or
  #   with one of several patterns.
  # - `ext:` lists only names with this extension: `"c"`, or `%w[c h]`.
  # - `prune:` names, or globs of names, of directories that are listed but not entered.
  # - `hidden:` lists names that begin with a dot, too.
  # - `gitignore:` `true` leaves out what git ignores, and each `.git`; see below.
  # - `follow:` `false` lists links to directories. `:paths` enters them, as `find -L`
  #   does (a link to one of its own ancestors is only listed). `:once` enters each
  #   directory once, by its real path if that is below the root.
  # - `stat:` `:mtime`, `:size` or both: columns beside the paths.
  # - `sort:` `false` keeps siblings in the file system's order.
  # - `threads:` the maximum number of threads; by default as many as help.
  # - `on_error:` is called with the path and the SystemCallError of each directory that
  #   cannot be read.
  #
  # With `gitignore: true` a walk lists the files of
  # `git ls-files -co --exclude-standard`, and their directories. The .gitignore of each
  # directory applies to everything below it; so do those of the directories above the
  # root, up to the repository that contains it, and `info/exclude` of that repository.
  # Therefore nothing is listed below a root that is itself ignored. As in git, an ignored
  # directory is not entered, a .gitignore that is a link is not read, a link to a
  # directory counts as a file, rules apply to the path by which `follow:` reaches a
  # file, and a repository inside another one uses only its own rules. Unlike git, a walk
  # does not read the index (a tracked file that is ignored is left out) or the user's
  # settings (core.excludesFile, core.ignoreCase). Outside a repository, the .gitignore
  # files from the root downwards apply. A .gitignore that cannot be read is reported to
  # `on_error:`.
  #
  # *Cost*, of the C and the Java engine: for each directory one `openat` relative to its parent,
  # `getdents` until it is empty (twice), one `close`; one `fstat` more where links are
  # followed; one `fstatat` for each entry with `stat:`. No exception, and no VM lock.
  # With `gitignore:` one `openat`, `fstat`, `read` and `close` more for each .gitignore,
  # none for a directory without one; at the start one `lstat` of the root. If the root
  # is not a repository, also one `readlink`, an `lstat` for each directory above it up
  # to its repository, and then an `openat` for the .gitignore of each. For each
  # repository one `lstat`, and reading its `info/exclude`. The pure engine makes the
  # system calls of Dir and File.
  module Walk
    # Lists the paths below a directory.
    #
    # @param root [String, #to_path] a directory, or a link to one
    # @return [PathList, nil] nil if there is no such directory
    # @raise [SystemCallError] if the root itself cannot be read
    # @raise [UsageError] for an invalid option
    def walk(root, **options)
      Options.new(**options).list(root)
    end

    # Counts the paths that {#walk} would list.
    #
    # *Cost*: as {#walk}, without creating a String for each path.
    #
    # @return [Integer, nil]
    def count(root, **options)
      Options.new(**options, sort: false).list(root)&.size
    end

    # Yields each path that {#walk} would list. With `sort: false` the first paths are yielded
    # while other directories are still being read; `break` and exceptions end the walk at once.
    #
    # @return [Enumerator] without a block
    # @return [true, nil] nil if there is no such directory
    def each_path(root, **options, &block)
      # Not `enum_for`: `next` of JRuby's Enumerator passes its keywords as a Hash.
      return Enumerator.new { |paths| each_path(root, **options) { |path| paths << path } } unless block

      Options.new(**options).each(root, &block)
    end
  end
end
