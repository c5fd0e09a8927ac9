# frozen_string_literal: true

require "fiddle"
require "tempfile"
require_relative "../../bench/support/marked_trace"

# Counts the system calls and exceptions of a block. The block runs in a fork of
# this process under strace, between two marks. All calls on files between the
# marks count, in every thread (see bench/support/marked_trace.rb).
#
#   assert_cost(syscalls: 1, exceptions: 0) { Frugal.mtime(path) }
#   assert_cost(syscalls: %w[open fstat read close]) { Frugal.read(path) }
#   assert_cost(syscalls: 0, only: /stat/) { Frugal.read(path) }
#
# All names of one call are reported as the same name (`newfstatat` is `stat`,
# `lstat` or `fstat`), so that the numbers are equal on every libc and kernel. The
# block runs in a fork, so its assignments are lost.
module Cost
  # The cost of a block: the names of its system calls, and the classes of its
  # exceptions, both in order.
  Measured = Struct.new(:syscalls, :exceptions)

  # Stores and snapshots are this cheap only where frugal relies on file times: on a file system that /proc lists
  # as a mount. The root of a chroot that is not a mount itself is not listed.
  def skip_where_times_are_not_trusted
    require "frugal/native/pure"
    return if Frugal::Native::Pure::FileTimes.ticks_at?(tree, File.stat(tree).dev)

    skip "/proc does not list the file system of #{tree}, so frugal does not rely on its times"
  end

  # @param syscalls [Integer, Array<String>, nil] the number of calls, or their names in order
  # @param exceptions [Integer, nil] the number of raised exceptions, rescued ones included
  # @param only [Regexp, nil] counts only the system calls whose name matches
  def assert_cost(syscalls: nil, exceptions: nil, only: nil, &block)
    cost = measure_cost(&block)
    calls = only ? cost.syscalls.grep(only) : cost.syscalls
    case syscalls
    when Array then assert syscalls == calls, "expected the calls #{brief(syscalls)}, got #{brief(calls)}"
    when Integer then assert_equal syscalls, calls.size, "system calls: #{brief(calls)}"
    end
    return unless exceptions

    assert_equal exceptions, cost.exceptions.size, "exceptions: #{brief(cost.exceptions)}"
  end

  # @return [Measured]
  def measure_cost(&block)
    skip "counting system calls needs fork, which JRuby does not have" unless Process.respond_to?(:fork)
    skip "counting system calls needs strace, which is not installed" unless Strace.available?

    Strace.new(block).cost
  end

  # @return [Integer] objects that the block allocates: the minimum of five runs, because the first runs fill caches
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

  # Runs one block under strace.
  class Strace
    BEGIN_MARK = Frugal::Bench::MarkedTrace.mark("cost")
    END_MARK = Frugal::Bench::MarkedTrace.mark(Frugal::Bench::MarkedTrace::END_MARK)
    private_constant :BEGIN_MARK, :END_MARK

    def self.available?
      return @available if defined?(@available)

      @available = !system("strace", "-V", out: File::NULL, err: File::NULL).nil?
    end

    def initialize(block)
      @block = block
    end

    # @return [Measured]
    def cost
      Tempfile.create("frugal-strace") do |log|
        trace = Frugal::Bench::MarkedTrace.new(log.path, separate_lstat: true)
        exceptions = run(trace)
        _, calls = trace.segments.first
        raise "no marks in the trace:\n#{File.read(log.path)}" unless calls

        Measured.new(calls, exceptions)
      end
    end

    private

    # Runs the block in a fork, which waits until strace is attached. strace ends with the fork.
    #
    # @return [Array<String>] classes of the exceptions
    def run(trace)
      Frugal::Native.engine # loaded before the fork, so that its loading does not count
      go_out, go_in = IO.pipe
      report_out, report_in = IO.pipe
      child = fork { run_block(go_out, go_in, report_in) }
      [go_out, report_in].each(&:close)
      tracer = attach(child, trace)
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
      exit!(true) # skips the at_exit blocks of the parent, such as minitest's
    end

    def observe
      raised = []
      failure = nil
      watch = TracePoint.new(:raise) { |point| raised << point.raised_exception.class.name }
      GC.disable # a finalizer may close a file that another test has left open, and that call would count
      File.exist?(BEGIN_MARK)
      watch.enable
      begin
        @block.call
      rescue Exception => e # rubocop:disable Lint/RescueException -- reported to the parent
        failure = e.full_message(highlight: false)
      end
      watch.disable
      File.exist?(END_MARK)
      [raised, failure]
    end

    # With Yama, only a parent may trace a process. strace is a sibling here and needs permission.
    def allow_tracing
      prctl = Fiddle::Handle::DEFAULT["prctl"]
      long = Fiddle::TYPE_LONG
      Fiddle::Function.new(prctl, [Fiddle::TYPE_INT, long, long, long, long], Fiddle::TYPE_INT)
                      .call(0x59616d61, -1, 0, 0, 0) # PR_SET_PTRACER, PR_SET_PTRACER_ANY
    end

    def attach(child, trace)
      messages, err = IO.pipe
      tracer = spawn("strace", "-f", "-y", *trace.options, "-p", child.to_s, err: err)
      err.close
      message = messages.gets
      return tracer if message&.include?("attached")

      Process.kill(:KILL, child)
      raise "strace cannot attach: #{message}#{messages.read}"
    end

    def unpack(report)
      raise "the block ended its process" if report.empty?

      raised, failure = Marshal.load(report)
      raise "the block raised: #{failure}" if failure

      raised
    end
  end
end
