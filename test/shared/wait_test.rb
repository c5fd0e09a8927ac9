# frozen_string_literal: true

require "timeout"
require_relative "../test_helper"
require_relative "../support/refused_calls"
require "frugal/entries"

# Turns and locks of a file: order, limits, interrupts, forks, fibers.
class WaitTest < Frugal::TestCase
  Wait = Frugal::Wait
  KEY = Frugal::Entries.digest("key")

  # Fibers of a thread, whose scheduler runs the next one when one waits.
  class Scheduler
    def initialize
      @ready = Queue.new
      @waiting = 0
    end

    def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)
    def unblock(_, fiber) = @ready << fiber
    def kernel_sleep(*) = (@ready << Fiber.current) && Fiber.yield
    def io_wait(_io, events, _timeout) = events

    def block(*)
      @waiting += 1
      Fiber.yield
      @waiting -= 1
      true
    end

    def close = (@ready.pop.resume until @waiting.zero? && @ready.empty?)
  end

  def setup
    @entries = Frugal::Entries.new(path("entries"))
    @entries.update(KEY) { |handle| handle.write("1") }
    @open = []
    skip "there are no turns" if file.try_turn.nil?
    close_all
  end

  def teardown = close_all

  def test_a_turn_excludes_and_passes_on
    first, second = file, file
    assert_equal true, first.try_turn
    assert_equal false, second.try_turn
    assert_equal false, Wait.for_turn(second, 0)
    first.close
    assert_equal true, Wait.for_turn(second, 0)
  end

  def test_nobody_gets_past_one_who_waits
    holder, early, late = file, file, file
    holder.try_turn
    order = Queue.new
    threads = { first: early, second: late }.map { |name, one| waiter { Wait.for_turn(one, 30) && order << name } }
    newcomer = file
    holder.close
    refute newcomer.try_turn
    assert_equal :first, order.pop
    refute newcomer.try_turn
    early.close
    assert_equal :second, order.pop
    late.close
    assert newcomer.try_turn
  ensure
    threads&.each(&:join)
  end

  def test_a_limit_of_time_leaves_no_place
    holder, waiter = file, file
    holder.try_turn
    assert_equal false, Wait.for_turn(waiter, 0.02)
    holder.close
    assert file.try_turn
  end

  # One who hangs ends a wait, and a queue that moves does not, although it is a long one.
  def test_the_limit_is_for_one_holder
    seconds = 1
    holder = file.tap(&:try_turn)
    before = Array.new(30) { file }.map do |one|
      waiter do
        Wait.for_turn(one, nil)
        sleep seconds / 20.0
        one.close
      end
    end
    last = file
    thread = waiter { Wait.for_turn(last, seconds) }
    holder.close
    assert_equal true, thread.value
    assert(before.all? { |one| one.join(seconds) })
  end

  def test_interrupts_end_a_wait_and_leave_no_place
    holder, other = file, file
    holder.try_turn
    assert_raises(Timeout::Error) { Timeout.timeout(0.05) { Wait.for_turn(other, nil) } }
    waiter { Wait.for_turn(other, nil) }.kill.join
    holder.close
    assert file.try_turn
  end

  def test_a_closed_file
    closed = file
    closed.close
    assert_raises(IOError) { closed.try_turn }
    assert_raises(IOError) { closed.wait_turn(1, 1) }
    assert_raises(IOError) { closed.wait_lock(1) }
  end

  def test_the_lock
    first, second = file, file
    assert_equal true, Wait.for_lock(first, 0)
    assert_equal false, Wait.for_lock(second, 0)
    assert_equal false, Wait.for_lock(second, 0.02)
    thread = Thread.new { Wait.for_lock(second, nil) }
    sleep 0.02
    first.unlock
    assert_equal true, thread.value
  end

  def test_fibers_of_a_scheduler_go_on_meanwhile
    skip "JRuby's fibers are threads" unless RUBY_ENGINE == "ruby"

    order = []
    first, second = file, file
    Thread.new do
      Fiber.set_scheduler(Scheduler.new)
      Fiber.schedule do
        Wait.for_turn(first, 30)
        order << :first
        sleep 0
        first.close
      end
      Fiber.schedule { order << :second if Wait.for_turn(second, 30) }
      Fiber.schedule { order << :other }
    end.join
    assert_equal %i[first other second], order
  end

  # The child has the descriptor, and lives on.
  def test_a_fork_keeps_no_turn_and_no_lock
    skip "needs fork" unless Process.respond_to?(:fork)

    holder = file
    assert holder.try_turn && holder.try_lock
    ready, child_ready = IO.pipe
    child = fork do
      holder.close # of the child: the parent keeps its turn
      child_ready.write(".")
      sleep
    end
    ready.readpartial(1)
    other = file
    assert_equal [false, false], [other.try_turn, other.try_lock]
    holder.close
    assert_equal [true, true], [other.try_turn, other.try_lock]
  ensure
    Process.kill(:KILL, child) && Process.wait(child) if child
  end

  def test_a_child_that_dies_gives_up_its_turn_and_its_place
    skip "needs fork" unless Process.respond_to?(:fork)

    ready, child_ready = IO.pipe
    children = Array.new(3) do
      fork do
        child_ready.write(".")
        Wait.for_turn(file, nil)
        sleep
      end
    end
    ready.readpartial(1)
    waiter = file
    thread = Thread.new { Wait.for_turn(waiter, nil) }
    children.each { |child| Process.kill(:KILL, child) && Process.wait(child) }
    assert_equal true, thread.value
  end

  # NFS without a lock daemon, an old kernel, a sandbox; and no timer for the limit of a wait.
  def test_refused_calls
    skip "strace is not available" unless RefusedCalls.available?
    skip "Ruby's own libraries need the call" unless Frugal::Native.engine_name == :c

    program = RefusedCalls::Program.new(["-I", "#{ROOT}/lib", "-rfrugal/entries"], <<~RUBY)
      entries = Frugal::Entries.new("entries")
      key = #{KEY.inspect}
      entries.update(key) { |handle| handle.write("1") }
      first, second = Array.new(2) { entries.open(key) }
      p first.take_turn(1), second.take_turn(0.01)
    RUBY
    { "ENOLCK" => "fcntl", "EINVAL" => "fcntl", "ENOSYS" => "?timer_create", "EPERM" => "?timer_create" }.each do |error, call|
      result = program.run(mkdir(error), refused: call, error: error)
      expected = call == "fcntl" ? "nil\nnil\n" : "true\nfalse\n"
      assert_equal [expected, 0], [result.out, result.status], "#{error}: #{result.err}"
    end
  end

  def test_a_turn_file_has_a_turn_for_each_slot
    skip "the Java engine has no files of turns" if Frugal::Native.engine_name == :java

    kind = Frugal::Native.engine::TurnFile
    one, same, another, last = [5, 5, 6, (1 << 24) - 1].map { |slot| kind.open(path("turns"), slot, 0o600).tap { |made| @open << made } }
    assert_equal [true, false, true, true], [one, same, another, last].map(&:try_turn)
    one.end_turn
    assert same.try_turn
    assert_nil kind.open(path("missing/turns"), 0, 0o600)
    assert_raises(ArgumentError) { kind.open(path("turns"), 1 << 24, 0o600) }
    symlink(path("turns"), "link")
    assert_raises(Errno::ELOOP) { kind.open(path("link"), 0, 0o600) }
  end

  private

  def file = Frugal::Native.engine::EntryFile.open(@entries.dir, KEY).tap { |opened| @open << opened }

  def close_all = @open.each(&:close).clear

  # A thread that waits for the turn, and has its place, which is the time at which it came: one that sleeps may be about
  # to take it.
  def waiter(&block)
    now = Process.clock_gettime(Process::CLOCK_MONOTONIC, :microsecond)
    Thread.new(&block).tap { |thread| sleep 0.001 until observer.send(:range_end, now, 1 << 37).positive? || !thread.alive? }
  end

  # Sees the locks that others have: all engines have the same.
  def observer
    @observer ||= begin
      require "frugal/native/pure"
      kind = Frugal::Native.engine_name == :java ? Frugal::Native.engine : Frugal::Native::Pure
      kind::EntryFile.open(@entries.dir, KEY).tap { |opened| @open << opened }
    end
  end
end
