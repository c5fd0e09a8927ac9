# frozen_string_literal: true

require "zlib"
require "frugal/profile/recording"

# Builds a recording as a program would have made it: the calls go to files that exist only here, so that results and
# errors are what a kernel would answer.
#
#   recording = RecordingBuilder.build do
#     file "a", "text"                        # exists before the program starts; names are below /w
#     line 3, "exist?"                        # the calls that follow are made by File.exist? in /app/a.rb:3
#     10.times { stat "a" }
#     pause 50                                # ms of computing
#     wait 50                                 # ms for something outside
#     thread(2) { line(9); read_file "a" }
#     process(200) { line(1); write_file "a", "new" }
#   end
class RecordingBuilder
  Entry = Struct.new(:kind, :content, :version, :target)
  DIRECTORY = RUBY_PLATFORM.match?(/arm|aarch64|powerpc|ppc/) ? 0o40000 : 0o200000
  TICK = 2_000 # ns from one call to the next, and half of it is its duration

  def self.build(**options, &block) = new.tap { |builder| builder.instance_eval(&block) }.recording(**options)

  def initialize
    @entries = { "/w" => Entry.new(:directory, nil, 0) }
    @versions = 0
    @calls = []
    @raises = []
    @processes = {}
    @stacks = {}
    @fds = {}
    @fd = 4
    @time = 1_000_000_000
    @duration = TICK / 2
    process(100) { nil }
    @pid = 100
    @thread = 1
    line(1)
  end

  # @return [Frugal::Profile::Recording]
  def recording(wall_us: 0, waits: true)
    Frugal::Profile::Recording.new(command: %w[ruby a.rb], processes: @processes.values, calls: @calls, raises: @raises, wall_us: wall_us, waits: waits)
  end

  # Where the calls that follow are made. `inner` is the method, written in C, that makes them.
  #
  # @param outer [Array<Array>] file, line and label of the frames around it
  def line(number, inner = nil, file: "/app/a.rb", label: "run", outer: [], fill: 0)
    key = [number, inner, file, label, outer, fill]
    frames = [[file, number, label]] + outer + ([["/app/main.rb", 9, "deep"]] * fill) + [["/app/main.rb", 1, "<main>"]]
    frames.unshift([nil, nil, inner]) if inner
    @stack = @stacks[key] ||= stack(frames)
  end

  def outside_ruby = @stack = Frugal::Profile::Stack::EMPTY
  def pause(milliseconds) = @time += (milliseconds * 1_000_000).to_i

  # @return [true]
  def wait(milliseconds = 1)
    stack, @stack = @stack, Frugal::Profile::Stack::EMPTY
    pause(milliseconds)
    call(:wait)
    @stack = stack
    true
  end

  def lasting(nanoseconds) = @duration = nanoseconds
  def group(name) = @group = name

  def thread(number)
    before = @thread, @stack
    @thread = number
    yield
  ensure
    @thread, @stack = before
  end

  def process(pid, ppid: 100, argv: %w[ruby a.rb], ruby: "3.1.2", image: pid)
    before = @pid, @stack
    @pid = image
    @processes[image] ||= Frugal::Profile::ProcessRecord.new(pid, ppid, argv, ruby, @time, 0, {})
    yield
  ensure
    @pid, @stack = before
  end

  # Runs the block without recording it: another process of the machine does it.
  def secretly
    calls = @calls
    @calls = []
    yield
  ensure
    @calls = calls
  end

  # What exists before the program starts.
  def file(name, content = "text") = @entries[full(name)] = Entry.new(:file, content, @versions += 1)
  def directory(name) = @entries[full(name)] = Entry.new(:directory, nil, @versions += 1)
  def link(name, target) = @entries[full(name)] = Entry.new(:link, nil, @versions += 1, full(target))

  %i[stat lstat statx fstatat].each do |name|
    define_method(name) do |path|
      entry = entry(path, follow: name != :lstat)
      call(name, path, error: entry ? nil : "ENOENT", bytes: entry&.content.to_s.bytesize, result: entry ? entry.version : 0)
    end
  end

  %i[access eaccess].each do |name|
    define_method(name) { |path, mode = 0| call(name, path, error: entry(path) ? nil : "ENOENT", flags: mode, result: 1) }
  end

  def readlink(path)
    link = entry(path, follow: false)
    error = link ? ("EINVAL" unless link.kind == :link) : "ENOENT"
    call(:readlink, path, error: error, to: link&.target, result: Zlib.crc32(link&.target.to_s) + 1)
  end

  def realpath(path)
    target = entry(path, follow: false)&.target || full(path)
    call(:realpath, path, error: entry(path) ? nil : "ENOENT", to: target, result: Zlib.crc32(target) + 1)
  end

  def getcwd(path = "/w") = call(:getcwd, path, to: path, result: Zlib.crc32(path) + 1)

  # @return [Integer, nil] a descriptor
  def open(path, mode = "r", name: :openat, flags: flags_of(mode))
    missing = entry(path).nil?
    return call(name, path, error: "ENOENT", flags: flags) && nil if missing && flags & File::CREAT == 0

    file(path, "") && touch(File.dirname(full(path))) if missing
    change(path) { |entry| entry.content = "" } if flags & File::TRUNC != 0
    @fd += 1
    call(name, path, descriptor: @fd, flags: flags)
    @fds[@fd] = full(path)
    @fd
  end

  def read(descriptor, bytes, name: :read) = on(name, descriptor, bytes: bytes.bytesize, result: Zlib.crc32(bytes) + 1)
  def at_end(descriptor) = on(:read, descriptor, bytes: 0, result: 1)
  def seek(descriptor) = on(:lseek, descriptor)
  def close(descriptor) = on(:close, descriptor) && @fds.delete(descriptor)

  def fstat(descriptor)
    entry = @entries[@fds[descriptor]]
    on(:fstat, descriptor, bytes: entry.content.to_s.bytesize, result: entry.version)
  end

  # @param kept [String] what the file has before it
  def write(descriptor, bytes, kept: "", name: :write)
    change(@fds[descriptor]) { |entry| entry.content = kept + bytes }
    on(name, descriptor, bytes: bytes.bytesize, result: Zlib.crc32(bytes) + 1)
  end

  # As File.read does.
  def read_file(path)
    descriptor = open(path) or return
    content = @entries[resolved(path)].content
    fstat(descriptor)
    read(descriptor, content) unless content.empty?
    at_end(descriptor)
    close(descriptor)
  end

  # As File.write does.
  def write_file(path, content, mode = "w")
    descriptor = open(path, mode)
    write(descriptor, content) unless content.empty?
    close(descriptor)
  end

  # A directory of so many entries.
  def list(path, entries = 2)
    return call(:opendir, path, error: "ENOENT", flags: DIRECTORY) unless entry(path)

    @fd += 1
    call(:opendir, path, descriptor: @fd, flags: DIRECTORY)
    @fds[@fd] = full(path)
    on(:readdir, @fd, bytes: entries, result: @nameless ? 0 : names(resolved(path)))
    on(:closedir, @fd)
  end

  # As of a recorder that does not compare the names of listings.
  def nameless = @nameless = true

  def names(folder) = Zlib.crc32(@entries.keys.select { |path| File.dirname(path) == folder }.join("\0")) + 1

  def unlink(path) = remove(:unlink, path)
  def rmdir(path) = remove(:rmdir, path)
  def chmod(path) = alter(:chmod, path)
  def utime(path) = alter(:utime, path)

  def mkdir(path)
    return call(:mkdir, path, error: "EEXIST") if entry(path)

    directory(path)
    touch(File.dirname(full(path)))
    call(:mkdir, path)
  end

  def rename(from, to)
    moved = @entries.select { |path, _| path == full(from) || path.start_with?("#{full(from)}/") }
    return call(:rename, from, error: "ENOENT", to: full(to)) if moved.empty?

    moved.each_key { |path| @entries.delete(path) }
    moved.each { |path, entry| @entries[path.sub(full(from), full(to))] = entry }
    [from, to].each { |path| touch(File.dirname(full(path))) }
    call(:rename, from, to: full(to))
  end

  # The exception for the last call.
  def raised(depth: 10, class_name: nil, error: @calls.last.error)
    class_name ||= "Errno::#{error}"
    ancestors = [class_name, "SystemCallError", "StandardError", "Exception"]
    @raises << Frugal::Profile::Raise.new(@processes[@pid], @thread, @time - (TICK / 4), class_name, ancestors, error, @stack, depth, @group)
  end

  # Any call.
  def call(name, path = nil, error: nil, to: nil, descriptor: nil, bytes: 0, result: 0, flags: 0)
    @calls << Frugal::Profile::Call.new(@processes[@pid], @thread, @time, @duration, name, error, path && full(path), to, descriptor, bytes, result,
                                        flags, @stack, @group)
    @time += @duration + (TICK / 2)
    @calls.last
  end

  private

  def stack(frames) = Frugal::Profile::Stack.new(frames.map { |frame| Frugal::Profile::Frame.new(*frame) })
  def full(name) = name.start_with?("/") ? name : "/w/#{name}"
  def on(name, descriptor, **others) = call(name, @fds[descriptor], descriptor: descriptor, **others)

  def resolved(path)
    entry = @entries[File.expand_path(full(path))]
    entry&.kind == :link ? entry.target : File.expand_path(full(path))
  end

  def entry(path, follow: true) = @entries[follow ? resolved(path) : File.expand_path(full(path))]
  def touch(path) = @entries[path]&.version = @versions += 1

  def change(path)
    entry = @entries[resolved(path)]
    yield entry
    entry.version = @versions += 1
  end

  def remove(name, path)
    removed = @entries.delete(File.expand_path(full(path)))
    touch(File.dirname(full(path))) if removed
    call(name, path, error: removed ? nil : "ENOENT")
  end

  def alter(name, path)
    touch(resolved(path))
    call(name, path, error: entry(path) ? nil : "ENOENT")
  end

  def flags_of(mode)
    { "r" => 0, "w" => File::WRONLY | File::CREAT | File::TRUNC, "a" => File::WRONLY | File::CREAT | File::APPEND,
      "r+" => File::RDWR, "wx" => File::WRONLY | File::CREAT | File::EXCL }.fetch(mode)
  end
end
