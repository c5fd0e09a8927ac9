# frozen_string_literal: true

require "etc"
require_relative "../test_helper"
require "frugal/native"
require "frugal/wait"

# Turns where a process has little of everything: signals, limits, other clocks, hundreds of waiters. What is counted
# under the turn is never lost.
class WaitHostileTest < Frugal::TestCase
  Wait = Frugal::Wait
  INTERRUPTED = 42
  # Adds one to the number in the file `count`, `times` times.
  COUNTER = <<~'RUBY'
    COUNT = lambda do |times|
      file = Frugal::Native.engine::TurnFile.open("turns", 0, 0o600)
      times.times do
        Frugal::Wait.for_turn(file, nil) or abort "no turn"
        number = File.read("count").to_i
        Thread.pass
        File.write("count", (number + 1).to_s)
        file.end_turn
      end
    end
  RUBY

  def setup
    skip "needs fork" unless Process.respond_to?(:fork)
    skip "the Java engine has no files of turns" if Frugal::Native.engine_name == :java

    @holder = file
    skip "there are no turns" unless @holder.try_turn
    write("count", "0")
  end

  def teardown = @holder&.close

  def test_ctrl_c_ends_a_process_that_waits
    child = waiting { Wait.for_turn(file, nil) }
    Process.kill(:INT, child)
    assert_equal INTERRUPTED, Process.wait2(child).last.exitstatus
    @holder.close
    assert_equal true, file.try_turn, "it has left no place"
  end

  # Ruby's handlers run while their thread waits, which goes on after them.
  def test_a_handler_of_a_signal_runs_during_a_wait
    ran, tell = IO.pipe
    child = waiting do
      trap(:USR1) { tell.write(".") }
      tell.write("r")
      exit!(Wait.for_turn(file, nil) == true)
    end
    assert_equal "r", ran.read(1)
    3.times do
      Process.kill(:USR1, child)
      assert_equal ".", ran.read(1)
    end
    @holder.close
    assert_predicate Process.wait2(child).last, :success?
  end

  def test_a_wait_needs_no_descriptor_and_little_memory
    limits = {
      "descriptors" => -> { Process.setrlimit(:NOFILE, 3) },
      "memory" => -> { Process.setrlimit(:AS, (File.read("/proc/self/statm").to_i * Etc.sysconf(Etc::SC_PAGESIZE)) + (1 << 20)) }
    }
    skip "needs /proc" unless File.exist?("/proc/self/statm")
    limits.each do |name, limit|
      @holder.try_turn
      child = waiting do
        mine = file
        limit.call
        exit!(Wait.for_turn(mine, nil) == true)
      end
      @holder.end_turn
      assert_predicate Process.wait2(child).last, :success?, name
    end
  end

  # Containers may have a time of their own: places in the queue are times. Order suffers, nothing else.
  def test_clocks_that_differ
    unshared = ->(days) { ["unshare", "--time", "--monotonic", (86_400 * days).to_s] }
    skip "only root can have another clock" unless Process.uid.zero? && run_command(*unshared.call(1), "true").success?

    @holder.close
    results = [[], unshared.call(100), unshared.call(2)].map do |prefix|
      Thread.new { run_command(*prefix, RUBY, "-I", LIB, "-rfrugal/wait", "-rfrugal/native", "-e", "#{COUNTER}COUNT.call(200)", chdir: tree) }
    end.map(&:value)
    results.each { |result| assert result.success?, result }
    assert_equal "600", File.read(path("count"))
  end

  def test_hundreds_of_waiters
    processes, threads = ALL && Frugal::Native.engine_name == :c ? [10, 60] : [4, 50] # plain Ruby polls
    script = "#{COUNTER}Array.new(#{threads}) { Thread.new { COUNT.call(1) } }.each(&:join)"
    children = Array.new(processes) do
      Process.spawn({ "RUBY_THREAD_VM_STACK_SIZE" => "65536" }, RUBY, "-I", LIB, "-rfrugal/wait", "-rfrugal/native", "-e", script, chdir: tree, out: File::NULL)
    end
    sleep 1 # so that many wait
    @holder.end_turn
    assert_equal [true], Array.new(processes) { Process.wait2(children.shift).last.success? }.uniq
    assert_equal processes * threads, File.read(path("count")).to_i
  ensure
    children&.each { |child| Process.kill(:KILL, child) && Process.wait(child) }
  end

  private

  def file = Frugal::Native.engine::TurnFile.open(path("turns"), 0, 0o600)

  # @return [Integer] the pid of a child that runs the block, and has begun to wait or is about to
  def waiting
    ready, tell = IO.pipe
    child = fork do
      tell.write(".")
      yield
    rescue Interrupt
      exit!(INTERRUPTED)
    ensure
      exit!(1)
    end
    ready.read(1)
    sleep 0.05
    child
  end
end
