# frozen_string_literal: true

require "fiddle"
require "tempfile"

# Counts what a block really costs. The block runs in a fork of this process
# under strace, between two marker calls; every call on files between the
# markers counts, from every thread, and nothing else does.
#
#   assert_cost(syscalls: 1, exceptions: 0) { Frugal.mtime(path) }
#   assert_cost(syscalls: %w[open fstat read close]) { Frugal.read(path) }
#   assert_cost(syscalls: 0, only: /stat/) { Frugal.read(path) }
#
# Calls go by their plain names (+newfstatat+ is +stat+, +lstat+ or +fstat+), so
# the same numbers hold on every libc and kernel. As the block runs in a fork,
# what it assigns is lost.
module Cost
  # What a block did: names of its system calls in order, classes of its
  # exceptions in order.
  Bill = Struct.new(:syscalls, :exceptions)

  # What counts. Memory, signals, locks and clocks do not: when they happen is
  # the VM's own affair and would make the numbers flake.
  TRACED = %w[
    access chdir chmod chown close copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64 fallocate
    fchdir fchmod fchmodat fchown fchownat fcntl fdatasync fgetxattr flock fstat fstatfs fsync ftruncate getcwd
    getdents getdents64 getxattr ioctl lchown lgetxattr link linkat lseek lstat mkdir mkdirat mknod mknodat
    newfstatat open openat openat2 pread64 preadv pwrite64 pwritev read readahead readlink readlinkat readv rename
    renameat renameat2 rmdir sendfile stat statfs statx symlink symlinkat sync sync_file_range syncfs truncate
    unlink unlinkat utime utimensat utimes write writev
  ].freeze

  # "?" lets strace pass over a name that this machine's kernel does not have.
  FILTER = "trace=#{TRACED.map { |name| "?#{name}" }.join(",")}"

  BEGIN_MARK = "/frugal cost begin"
  END_MARK = "/frugal cost end"

  # Stores and snapshots cost this little where times are trusted: on a file system whose mount /proc names. It does
  # not name that of a chroot's root which is no mount itself.
  def skip_where_times_are_not_trusted
    require "frugal/native/pure"
    return if Frugal::Native::Pure::FileTimes.ticks_at?(tree, File.stat(tree).dev)

    skip "/proc does not name the file system of #{tree}, so its times are not trusted"
  end

  # @param syscalls [Integer, Array<String>, nil] how many; or which, in order
  # @param exceptions [Integer, nil] how many were raised, rescued ones too
  # @param only [Regexp, nil] counts only the system calls whose name matches
  def assert_cost(syscalls: nil, exceptions: nil, only: nil, &block)
    bill = measure_cost(&block)
    calls = only ? bill.syscalls.grep(only) : bill.syscalls
    case syscalls
    when Array then assert syscalls == calls, "expected the calls #{brief(syscalls)}, got #{brief(calls)}"
    when Integer then assert_equal syscalls, calls.size, "system calls: #{brief(calls)}"
    end
    return unless exceptions

    assert_equal exceptions, bill.exceptions.size, "exceptions: #{brief(bill.exceptions)}"
  end

  # @return [Bill]
  def measure_cost(&block)
    skip "system calls are counted in a fork, which JRuby has not" unless Process.respond_to?(:fork)
    skip "system calls are counted with strace, which is not here" unless Strace.available?

    Strace.new(block).bill
  end

  # @return [Integer] objects that the block allocates, the least of several times: a first one fills caches
  def allocations
    skip "JRuby does not count objects" unless RUBY_ENGINE == "ruby"

    Array.new(5) do
      before = GC.stat(:total_allocated_objects)
      yield
      GC.stat(:total_allocated_objects) - before
    end.min
  end

  private

  def brief(names) = names.size > 20 ? names.tally : names

  # One block under strace.
  class Strace
    def self.available?
      return @available if defined?(@available)

      @available = !system("strace", "-V", out: File::NULL, err: File::NULL).nil?
    end

    def initialize(block)
      @block = block
    end

    def bill
      Tempfile.create("frugal-strace") do |log|
        exceptions = trace(log.path)
        Bill.new(calls(File.binread(log.path)), exceptions)
      end
    end

    private

    # The block's fork waits until strace holds it, and strace ends with it.
    def trace(log)
      Frugal::Native.engine # loaded once for all, not at the block's expense
      go_out, go_in = IO.pipe
      report_out, report_in = IO.pipe
      child = fork { run_block(go_out, go_in, report_in) }
      [go_out, report_in].each(&:close)
      tracer = attach(child, log)
      go_in.close
      report = report_out.read
      [child, tracer].each { |pid| Process.wait(pid) }
      unpack(report)
    end

    def run_block(go_out, go_in, report_in)
      go_in.close
      allow_tracing
      go_out.read
      raised, failure = observe
      report_in.write(Marshal.dump([raised, failure]))
      report_in.close
    ensure
      exit!(true) # the parent's at_exit blocks, minitest's among them, are not ours to run
    end

    def observe
      raised = []
      failure = nil
      watch = TracePoint.new(:raise) { |point| raised << point.raised_exception.class.name }
      GC.disable # else it closes what other tests have left open
      File.exist?(BEGIN_MARK)
      watch.enable
      begin
        @block.call
      rescue Exception => error # rubocop:disable Lint/RescueException -- told to the parent
        failure = error.full_message(highlight: false)
      end
      watch.disable
      File.exist?(END_MARK)
      [raised, failure]
    end

    # strace is our sibling, not our parent, and Yama wants that said aloud.
    def allow_tracing
      prctl = Fiddle::Handle::DEFAULT["prctl"]
      long = Fiddle::TYPE_LONG
      Fiddle::Function.new(prctl, [Fiddle::TYPE_INT, long, long, long, long], Fiddle::TYPE_INT)
                      .call(0x59616d61, -1, 0, 0, 0) # PR_SET_PTRACER, PR_SET_PTRACER_ANY
    end

    def attach(child, log)
      said_out, said_in = IO.pipe
      tracer = spawn("strace", "-f", "-y", "-s", "4096", "-e", FILTER, "-e", "signal=none", "-o", log,
                     "-p", child.to_s, err: said_in)
      said_in.close
      said = said_out.gets
      return tracer if said&.include?("attached")

      Process.kill(:KILL, child)
      raise "strace does not attach: #{said}#{said_out.read}"
    end

    def unpack(report)
      raise "the block ended its process" if report.empty?

      raised, failure = Marshal.load(report)
      raise "the block raised: #{failure}" if failure

      raised
    end

    # @return [Array<String>] plain names of the calls between the markers
    def calls(log)
      lines = whole_lines(log)
      first = lines.index { |line| line.include?(BEGIN_MARK) }
      last = lines.index { |line| line.include?(END_MARK) }
      raise "no markers in the trace:\n#{log}" unless first && last

      lines[first + 1...last].filter_map { |line| plain_name(line) }
    end

    # With several threads strace splits a call over two lines.
    def whole_lines(log)
      pending = {}
      log.each_line(chomp: true).filter_map do |line|
        pid, rest = line.split(" ", 2)
        if rest.end_with?("<unfinished ...>")
          pending[pid] = rest.delete_suffix("<unfinished ...>")
          nil
        elsif rest.start_with?("<... ")
          pending.delete(pid).to_s + rest.sub(/\A<\.\.\. \S+ resumed>/, "")
        else
          rest
        end
      end
    end

    def plain_name(line)
      name = line[/\A(\w+)\(/, 1] or return # not a call: an exit
      return if line.match?(/\A\w+\(\d+<(anon_inode|pipe|socket):/) # the VM's own wake-up channels

      case name
      when "newfstatat", "statx"
        if line.include?("AT_EMPTY_PATH") then "fstat"
        elsif line.include?("AT_SYMLINK_NOFOLLOW") then "lstat"
        else "stat"
        end
      when "openat", "openat2" then "open"
      when "getdents64" then "getdents"
      else name.delete_suffix("64")
      end
    end
  end
end
