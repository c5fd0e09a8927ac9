# frozen_string_literal: true

require_relative "native"

module Frugal
  # Questions about one path: each makes one system call where it can, and answers
  # nil for a path that does not exist.
  #
  #   Frugal.mtime("Rakefile")    # => 2026-11-22 10:00:00.123456789 +0000
  #   Frugal.entries("missing")   # => nil: one system call, no exception
  #
  # A *miss* is a path that does not exist (`ENOENT`, `ENOTDIR`): the answer is nil.
  # Any other error is a *fault*: it raises the same exception, with the same
  # message, as the method of the same name in File or Dir. A path is anything that
  # File accepts: a String, or an object with `to_path` or `to_str`.
  #
  # The *Cost* of each method is the cost of the C engine. The pure engine calls the method
  # of the same name in File or Dir, and a miss costs one rescued exception.
  module Probe
    # @!method mtime(path)
    #   The time of a file's last modification. Follows symbolic links, as File.mtime does.
    #
    #   *Cost*: one system call (`stat`), for a miss too, and no exception. Keeps the
    #   VM lock: to release and acquire it takes longer than `stat` and makes Ruby
    #   switch threads needlessly.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [Time, nil] in nanoseconds, where the file system stores them
    #   @raise [SystemCallError] for a fault, as File.mtime
    #   @raise [TypeError] for an argument that is not a path
    #   @raise [ArgumentError] for a path with a NUL byte

    # @!method mtimes(paths)
    #   The {#mtime} of each path in a list. Works on several threads while other Ruby
    #   threads run. Signals, Thread#kill and Timeout interrupt it.
    #
    #     Frugal.mtimes(%w[Rakefile missing])  # => [2026-11-22 10:00:00 +0000, nil]
    #
    #   *Cost*: one system call (`stat`) for each path, misses included, and no
    #   exception. Memory: the bytes of the paths and 32 bytes per path, until it returns.
    #
    #   @param paths [Array<String, #to_path, #to_str>, #to_ary]
    #   @return [Array<Time, nil>] in the order of `paths`
    #   @raise [SystemCallError] for the first path in the list that has a fault
    #   @raise [TypeError, ArgumentError] as {#mtime}, before any system call

    # @!method size(path)
    #   The size of a file in bytes. Follows symbolic links, as File.size does.
    #
    #   *Cost*: one system call (`stat`), for a miss too, and no exception.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [Integer, nil] bytes; for a directory or a special file, the kernel's `st_size`
    #   @raise [SystemCallError] for a fault, as File.size
    #   @raise [TypeError, ArgumentError] as {#mtime}

    # @!method stat(path)
    #   All attributes of a file. Follows symbolic links, as File.stat does.
    #
    #     Frugal.stat("Rakefile")&.owned?   # => true
    #
    #   *Cost*: one system call (`stat`), for a miss too, and no exception.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [File::Stat, nil]
    #   @raise [SystemCallError] for a fault, as File.stat
    #   @raise [TypeError, ArgumentError] as {#mtime}

    # @!method stats(paths)
    #   The {#stat} of each path in a list. Works on several threads while other Ruby
    #   threads run. Signals, Thread#kill and Timeout interrupt it.
    #
    #     Frugal.stats(%w[Rakefile missing])  # => [#<File::Stat …>, nil]
    #
    #   *Cost*: as {#mtimes}, and a `struct stat` (about 150 bytes) more memory per path.
    #
    #   @param paths [Array<String, #to_path, #to_str>, #to_ary]
    #   @return [Array<File::Stat, nil>] in the order of `paths`
    #   @raise [SystemCallError] for the first path in the list that has a fault
    #   @raise [TypeError, ArgumentError] as {#mtime}, before any system call

    # @!method exist?(path)
    #   Whether a path exists. Follows symbolic links and raises no fault, as
    #   File.exist? does: the answer is false for a path that cannot be reached.
    #
    #   *Cost*: one system call (`stat`) and no exception, whatever the answer.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [Boolean]
    #   @raise [TypeError, ArgumentError] as {#mtime}

    # @!method type(path)
    #   The type of a file. Does not follow symbolic links, as File.ftype does not.
    #   Never opens the file, so that a fifo cannot block it.
    #
    #   *Cost*: one system call (`lstat`), for a miss too, and no exception.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [String, nil] `"file"`, `"directory"`, `"link"`, `"fifo"`,
    #     `"socket"`, `"characterSpecial"`, `"blockSpecial"` or `"unknown"`
    #   @raise [SystemCallError] for a fault, as File.ftype
    #   @raise [TypeError, ArgumentError] as {#mtime}

    # @!method readlink(path)
    #   The target of a symbolic link, in the encoding of File.readlink. The target
    #   need not exist.
    #
    #   *Cost*: one system call (`readlink`) for a target of up to 1,023 bytes, and one
    #   more each time that length doubles; a miss costs one call and no exception.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [String, nil]
    #   @raise [SystemCallError] for a fault, as File.readlink; also for a file that is
    #     not a link (`EINVAL`)
    #   @raise [TypeError, ArgumentError] as {#mtime}

    # @!method entries(path)
    #   The names in a directory, including `"."` and `".."`, in the order and
    #   encoding of Dir.entries. A path that is not a directory is a miss.
    #
    #   *Cost*: `open`, `getdents` until it returns no more names, `close`, without the
    #   VM lock; a miss costs one system call (`open`) and no exception.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [Array<String>, nil]
    #   @raise [SystemCallError] for a fault, as Dir.entries
    #   @raise [TypeError, ArgumentError] as {#mtime}

    # @!method children(path)
    #   The names in a directory, as Dir.children: {#entries} without `"."` and `".."`.
    #
    #   *Cost*: as {#entries}.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [Array<String>, nil]
    #   @raise [SystemCallError] for a fault, as Dir.children
    #   @raise [TypeError, ArgumentError] as {#mtime}

    # @!method read(path)
    #   The content of a file, in the encoding of File.read. Continues after a signal
    #   whose trap returns, also while it waits for the other end of a fifo.
    #
    #   *Cost*: `open`, `fstat`, `read`, `close`, without the VM lock. More `read` calls
    #   only where `fstat` reports a size of 0 or a wrong one (`/proc`, a pipe, a file
    #   that grows). A miss costs one system call and no exception.
    #
    #   @param path [String, #to_path, #to_str]
    #   @return [String, nil]
    #   @raise [SystemCallError] for a fault, as File.read; also for a directory
    #   @raise [EncodingError] for bytes that cannot be converted to
    #     `Encoding.default_internal`, as File.read
    #   @raise [TypeError, ArgumentError] as {#mtime}

    # Copies the engine's methods: a delegating call would take a tenth of a probe's time.
    engine = Native.engine::Probe
    engine.instance_methods(false).each { |name| define_method(name, engine.instance_method(name)) }
  end
end
