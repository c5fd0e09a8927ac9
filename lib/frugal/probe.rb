# frozen_string_literal: true

require_relative "native"

module Frugal
  # One question to the file system, one answer, or nil for a miss.
  #
  #   Frugal.mtime("Rakefile")    # => 2026-11-22 10:00:00.123456789 +0000
  #   Frugal.entries("missing")   # => nil: one system call, no exception
  #
  # A *miss* is a path that is not there (+ENOENT+, +ENOTDIR+); it is a value.
  # Anything else that goes wrong is a *fault* and raises what the method's
  # namesake in File or Dir raises, with the same message. A path is what it is
  # to File: a String, or an object with +to_path+ or +to_str+.
  #
  # Each method's *Cost* is that of the C engine. The pure engine asks what its
  # namesake asks, and its miss costs one exception, rescued.
  module Probe
    # @!method mtime(path)
    #   When a file was last modified. Follows symbolic links, as File.mtime.
    #
    #   *Cost*: one system call (+stat+); a miss the same, with no exception. The
    #   VM lock is kept: giving it away and queueing for it again takes longer
    #   than a stat, and makes threads switch for nothing.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [Time, nil] to the nanosecond, where the file system has them
    #   @raise [SystemCallError] for a fault, as File.mtime
    #   @raise [TypeError] for what is no path
    #   @raise [ArgumentError] for a path that holds a NUL byte

    # @!method mtimes(paths)
    #   When each of many files was last modified: {#mtime} for a whole list, on
    #   several threads, while other Ruby threads run. Signals, Thread#kill and
    #   Timeout interrupt it.
    #
    #     Frugal.mtimes(%w[Rakefile missing])  # => [2026-11-22 10:00:00 +0000, nil]
    #
    #   *Cost*: one system call (+stat+) for each path, misses included, with no
    #   exception. Memory: the paths' bytes and 32 bytes a path, until it returns.
    #
    #   @param paths [Array<String, #to_path, #to_str>, #to_ary]
    #   @return [Array<Time, nil>] in the order of +paths+
    #   @raise [SystemCallError] for the first path, in order, with a fault
    #   @raise [TypeError, ArgumentError] for what is no path, before any call

    # @!method size(path)
    #   How many bytes a file holds. Follows symbolic links, as File.size.
    #
    #   *Cost*: one system call (+stat+); a miss the same, with no exception.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [Integer, nil] bytes; for what is no file, what the system says
    #   @raise [SystemCallError] for a fault, as File.size
    #   @raise [TypeError, ArgumentError] as {#mtime}

    # @!method stat(path)
    #   All that the system tells of a file. Follows symbolic links, as File.stat.
    #
    #     Frugal.stat("Rakefile")&.owned?   # => true
    #
    #   *Cost*: one system call (+stat+); a miss the same, with no exception.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [File::Stat, nil]
    #   @raise [SystemCallError] for a fault, as File.stat
    #   @raise [TypeError, ArgumentError] as {#mtime}

    # @!method stats(paths)
    #   {#stat} for a whole list, as {#mtimes} for {#mtime}: on several threads,
    #   while other Ruby threads run, and as easily interrupted.
    #
    #     Frugal.stats(%w[Rakefile missing])  # => [#<File::Stat …>, nil]
    #
    #   *Cost*: as {#mtimes}; memory: a +struct stat+ (some 150 bytes) a path more.
    #
    #   @param paths [Array<String, #to_path, #to_str>, #to_ary]
    #   @return [Array<File::Stat, nil>] in the order of +paths+
    #   @raise [SystemCallError] for the first path, in order, with a fault
    #   @raise [TypeError, ArgumentError] for what is no path, before any call

    # @!method exist?(path)
    #   Whether a path leads to something. Follows symbolic links and raises no
    #   fault, as File.exist?: what cannot be reached is not there.
    #
    #   *Cost*: one system call (+stat+) and no exception, whatever the answer.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [Boolean]
    #   @raise [TypeError, ArgumentError] as {#mtime}

    # @!method type(path)
    #   What kind of file a path is. Does not follow links, as File.ftype, and
    #   never opens what it asks about, so that a fifo cannot hang it.
    #
    #   *Cost*: one system call (+lstat+); a miss the same, with no exception.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [String, nil] +"file"+, +"directory"+, +"link"+, +"fifo"+,
    #     +"socket"+, +"characterSpecial"+, +"blockSpecial"+ or +"unknown"+
    #   @raise [SystemCallError] for a fault, as File.ftype
    #   @raise [TypeError, ArgumentError] as {#mtime}

    # @!method readlink(path)
    #   Where a symbolic link points to: the text of it, in the encoding of
    #   File.readlink, whether anything is there or not.
    #
    #   *Cost*: one system call (+readlink+) for up to 1,023 bytes, one more each
    #   time that doubles; a miss is one call, with no exception.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [String, nil]
    #   @raise [SystemCallError] for a fault, as File.readlink: what is there but
    #     no link too (+EINVAL+)
    #   @raise [TypeError, ArgumentError] as {#mtime}

    # @!method entries(path)
    #   The names in a directory, +"."+ and +".."+ among them, in the order and
    #   the encodings of Dir.entries. A path that is no directory is a miss.
    #
    #   *Cost*: +open+, +getdents+ until the end outside the VM lock, +close+; a
    #   miss is one system call (+open+) and no exception.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [Array<String>, nil]
    #   @raise [SystemCallError] for a fault, as Dir.entries
    #   @raise [TypeError, ArgumentError] as {#mtime}

    # @!method children(path)
    #   The names in a directory, as Dir.children: {#entries} without +"."+ and
    #   +".."+, at the same *Cost*.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [Array<String>, nil]
    #   @raise [SystemCallError] for a fault, as Dir.children
    #   @raise [TypeError, ArgumentError] as {#mtime}

    # @!method read(path)
    #   A whole file, in the encodings of File.read. A signal whose trap returns
    #   does not end it, also while it waits for a fifo's other end.
    #
    #   *Cost*: +open+, +fstat+, +read+, +close+, outside the VM lock; further
    #   +read+ calls only where the size is 0 or was not the truth (+/proc+, a
    #   pipe, a file that grows). A miss is one system call and no exception.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [String, nil]
    #   @raise [SystemCallError] for a fault, as File.read: a directory too
    #   @raise [EncodingError] for bytes that +Encoding.default_internal+ cannot
    #     hold, as File.read
    #   @raise [TypeError, ArgumentError] as {#mtime}

    # The engine's own methods, since a call in between would take a tenth of a probe's time.
    engine = Native.engine::Probe
    engine.instance_methods(false).each { |name| define_method(name, engine.instance_method(name)) }
  end
end
