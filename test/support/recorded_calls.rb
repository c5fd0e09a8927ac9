# frozen_string_literal: true

require "frugal/profile/run"
require_relative "subprocess"

# Records a Ruby program under `strace -f`, and compares what each of them saw of one tree.
#
#   seen = RecordedCalls.new(tree, "File.exist?('x')")
#   seen.recorded # => [[:stat, "/tmp/…/x", "ENOENT"]]
#   seen.traced   # => the same
class RecordedCalls
  include Subprocess

  # The libc functions that make a system call, by the names of both; glibc has one call for several functions.
  SAME = { "newfstatat" => :stat, "stat" => :stat, "lstat" => :stat, "fstat" => :stat, "statx" => :stat,
           "openat" => :open, "open" => :open, "openat2" => :open, "access" => :access, "faccessat" => :access,
           "faccessat2" => :access, "readlink" => :readlink, "readlinkat" => :readlink, "mkdir" => :mkdir,
           "mkdirat" => :mkdir, "unlink" => :unlink, "unlinkat" => :unlink, "rmdir" => :unlink, "rename" => :rename,
           "renameat" => :rename, "renameat2" => :rename, "link" => :link, "linkat" => :link, "symlink" => :symlink,
           "symlinkat" => :symlink, "chmod" => :chmod, "fchmodat" => :chmod, "fchmod" => :chmod, "chown" => :chown,
           "lchown" => :chown, "fchown" => :chown, "fchownat" => :chown, "utimensat" => :utime, "utime" => :utime,
           "truncate" => :truncate, "ftruncate" => :truncate, "mknod" => :mknod, "mknodat" => :mknod,
           "mkfifo" => :mknod, "read" => :read, "pread64" => :read, "pread" => :read, "readv" => :read,
           "write" => :write, "pwrite64" => :write, "pwrite" => :write, "writev" => :write, "fsync" => :sync,
           "fdatasync" => :sync, "flock" => :flock, "lseek" => :lseek, "close" => :close, "closedir" => :close,
           "opendir" => :open, "fopen" => :open, "eaccess" => :access, "fstatat" => :stat, "fclose" => :close,
           "getdents64" => :list, "statfs" => :statfs, "fstatfs" => :statfs, "inotify_add_watch" => :watch,
           "fallocate" => :fallocate, "copy_file_range" => :copy, "sendfile" => :copy, "chdir" => :chdir, "fchdir" => :chdir, "execve" => :exec,
           "exec" => :exec }.freeze
  # realpath(3) makes these, as many as the path has components.
  OF_LIBC = %i[readlink].freeze
  # What follows the descriptor is no name.
  BY_DESCRIPTOR = %i[read write sync flock lseek close list fallocate].freeze
  SYMLINK = /\A"(?:[^"\\]|\\.)*", (?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/
  LINE = /\A\d+\s+(\w+)\((.*)\)\s+=\s+(-?\d+|\?)(?:<[^>]*>)?(?: (E\w+))?/

  # @return [Array<Array(Symbol, String, String)>] kind, path and error, sorted
  attr_reader :recorded, :traced
  # @return [Frugal::Profile::Recording]
  attr_reader :recording
  # @return [String] what the program printed
  attr_reader :output

  # @param tree [String] the calls beneath it are compared
  # @param program [String] of Ruby, run in the tree
  # @param launcher [Array<String>] words before the command
  def initialize(tree, program, launcher: [])
    @tree = tree
    @launcher = launcher
    Dir.mktmpdir do |directory|
      trace = File.join(directory, "trace")
      run(program, trace, File.join(directory, "out"))
      @traced = trace_of(trace)
    end
    @recorded = @recording.calls.filter_map { |call| row(call) }.sort_by(&:to_s)
  end

  # @return [Array(Array, Array)] what only strace saw, and what only the recorder saw
  def differences
    [subtract(traced, recorded + stats_of_libc + lists_of_libc + stats_of_recorder), subtract(recorded, traced)]
  end

  private

  def run(program, trace, out)
    strace = %W[strace -f -y -s 4096 -o #{trace} -e trace=file,desc,process]
    command = [*strace, *@launcher, RUBY, "-W0", "--disable-gems", "-e", program]
    @recording = Frugal::Profile::Run.new(command, out: out, err: out, chdir: @tree).call
    @output = File.read(out)
  end

  # opendir(3) and fdopendir(3) ask whether it is a directory; eaccess(3) may compare modes itself.
  def stats_of_libc
    calls_of(:opendir, :fdopendir, :eaccess).flat_map { |call| [nil, "ENOENT"].map { |error| [:stat, clean(call.path), error] } }
  end

  # The recorder asks after a rename whether a directory has another name now.
  def stats_of_recorder
    calls_of(:rename).reject(&:failed?).flat_map { |call| [[:stat, clean(call.to), nil], [:stat, clean(call.path), "ENOENT"]] }
  end

  # readdir(3) reads a listing at once, and then its end.
  def lists_of_libc = calls_of(:opendir, :fdopendir).flat_map { |call| [[:list, clean(call.path), nil]] * 2 }

  def calls_of(*names) = recording.calls.select { |call| names.include?(call.name) && call.path }

  def subtract(some, others)
    left = others.tally
    some.reject { |row| left.fetch(row, 0).positive? && left[row] -= 1 }
  end

  def row(call)
    kind = SAME[call.name.to_s] or return
    return if OF_LIBC.include?(kind) || !call.path&.start_with?("#{@tree}/")
    return if call.process.argv.first == "strace" # asks whether files were deleted

    [kind, clean(call.path), call.error]
  end

  def clean(path) = path.gsub(%r{/\./|//+}, "/").delete_suffix("/.").chomp("/")

  # strace cuts a call that another thread interrupts into two lines.
  def trace_of(file)
    unfinished = {}
    File.binread(file).each_line.filter_map do |line|
      pid = line[/\A\d+/]
      next (unfinished[pid] = line.sub(" <unfinished ...>\n", "")) && nil if line.include?("<unfinished ...>")

      line = unfinished.delete(pid) + line.sub(/\A.*resumed>/, "") if line.include?(" resumed>")
      traced_row(line)
    end.sort_by(&:to_s)
  end

  def traced_row(line)
    _, name, arguments, _, error = *LINE.match(line)
    kind = SAME[name]
    return if kind.nil? || OF_LIBC.include?(kind) || name == "execve" && error

    path = path_of(kind, arguments) or return
    return if kind == :lseek && File.directory?(path) # rewinddir(3)

    [kind, path, error] if path.start_with?("#{@tree}/")
  end

  # `AT_FDCWD</cwd>, "name"`, `7</path>`, `"name"`
  def path_of(kind, arguments)
    directory, name = arguments.match(/\A(?:(?:AT_FDCWD|\d+)<((?:[^>\\]|\\.)*)>,? ?)?(?:"((?:[^"\\]|\\.)*)")?/).captures
    directory, name = *SYMLINK.match(arguments)&.captures if kind == :symlink
    directory = arguments[/<([^>]*)>, [^<]*\d+<([^>]*)>/, 2] if kind == :copy && arguments.start_with?(/\d+/)
    directory = @tree if kind == :watch
    name = nil if BY_DESCRIPTOR.include?(kind)
    return if directory.nil? && name.nil?
    return clean(name.b) if name&.start_with?("/")

    clean([directory || @tree, name].compact.reject(&:empty?).join("/"))
  end
end
