# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/recorded_programs"

# The recorder with what else Ruby can do: each program does the same as without it, and each call has the right line.
class RubyFeaturesTest < Frugal::TestCase
  include RecordedPrograms

  # Runs a program in which the file `asked-LINE` is asked about in that line.
  #
  # @param count [Integer] of such questions
  def check(script, count, *options, **more)
    recording = record_same(RUBY, "-W0", *options, "-e", script, **more)
    asked = recording.calls.select { |call| call.path&.match?(/asked-\d+\z/) }
    assert_equal count, asked.size
    wrong = asked.reject { |call| call.stack.frames.find { |frame| frame.file == "-e" }&.line == call.path[/\d+\z/].to_i }
    assert_empty wrong.first(3).map { |call| [call.path, call.stack.frames] }
    recording
  end

  def test_many_threads
    check("100.times.map { Thread.new { 200.times { File.exist?('asked-1') } } }.each(&:join)", 20_000)
  end

  # From Ruby 3.3 on, several threads of Ruby share a thread of the system. Ruby 4.0 may free its heap at the end while
  # such a thread is still leaving a stack in it, and crashes, so the program does not free it.
  def test_threads_that_share_a_thread_of_the_system
    script = <<~'RUBY'
      threads = 20.times.map do |i|
        Thread.new { 50.times { File.exist?('asked-2'); Thread.pass; File.stat('.'); sleep 0 if i.odd? } }
      end
      Ractor.new { 50.times { File.exist?('asked-4') } }.then { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take }
      threads.each(&:join)
      exit!(0)
    RUBY
    check(script, 1050, env: { "RUBY_MN_THREADS" => "1", "RUBY_MAX_CPU" => "2" })
  end

  def test_fibers_with_small_stacks
    script = <<~'RUBY'
      fibers = 200.times.map { Fiber.new { 5.times { File.exist?('asked-1'); Fiber.yield; File.open('none') rescue 0 } } }
      5.times { fibers.each(&:resume) }
    RUBY
    recording = check(script, 1000, env: { "RUBY_FIBER_MACHINE_STACK_SIZE" => "65536", "RUBY_FIBER_VM_STACK_SIZE" => "16384" })
    assert_equal 800, recording.raises.count { |raised| raised.class_name == "Errno::ENOENT" && raised.site&.file == "-e" }
  end

  def test_hundreds_of_processes
    script = "300.times { |i| fork { File.exist?('asked-1'); exit!(0) }; Process.wait if i > 3 }; Process.waitall"
    recording = check(script, 300)
    assert_equal 301, recording.processes.size
    assert_empty recording.notes
  end

  def test_processes_that_are_forked_at_exit_and_by_threads
    script = <<~'RUBY'
      at_exit { Process.wait(fork { File.exist?('asked-1') }) }
      busy = Thread.new { loop { File.exist?('x'); eval("File.exist?('y')") } }
      8.times.map { Thread.new { 5.times { Process.wait(fork { File.exist?('asked-3'); exit!(0) }) } } }.each(&:join)
      busy.kill
    RUBY
    check(script, 41)
  end

  def test_collections_of_garbage_that_move_objects
    script = <<~'RUBY'
      GC.respond_to?(:auto_compact=) && GC.auto_compact = true rescue 0
      Process.warmup if Process.respond_to?(:warmup)
      300.times { |i| eval("def moved#{i % 7} = File.exist?('asked-1')", binding, '-e', 1); moved0; Array.new(3000) { 'x' * 50 } }
    RUBY
    recording = record_same(RUBY, "-W0", "-e", script)
    found = recording.calls.select { |call| call.path&.end_with?("asked-1") }
    places = found.map { |call| call.stack.frames.find(&:source?) }.map { |frame| [frame.file, frame.line, frame.label[/\w+\z/]] }
    assert_equal [300, [["-e", 1, "moved0"]]], [found.size, places.uniq]
  end

  def test_the_just_in_time_compiler
    skip "this Ruby has no YJIT" unless run_command(RUBY, "--yjit", "-e", "").success?
    check("def ask = File.exist?('asked-1')\n3000.times { ask }", 3000, "--yjit", "--yjit-call-threshold=2")
  end

  def test_the_tracing_of_the_program
    check(<<~'RUBY', 300)
      require 'objspace'
      raised = 0
      TracePoint.new(:raise) { raised += 1 }.enable
      TracePoint.new(:line, :c_call) { File.exist?('traced') }.enable { 50.times { File.exist?('asked-4') } }
      ObjectSpace.trace_object_allocations do
        250.times { File.exist?('asked-6'); File.open('none') rescue 0 }
      end
      print raised
    RUBY
  end

  def test_very_deep_stacks
    recording = check("def deep(n) = n.zero? ? 20.times { File.exist?('asked-1'); File.open('none') rescue 0 } : deep(n - 1)\ndeep(9000)", 20)
    assert_equal 20, recording.raises.count { |raised| raised.class_name == "Errno::ENOENT" && raised.depth >= 4000 }
  end

  def test_the_scheduler_of_fibers
    skip "it needs Ruby 3.2" unless Fiber.respond_to?(:blocking)
    check(<<~'RUBY', 6)
      scheduler = Class.new do
        def block(*) = Fiber.yield
        def unblock(*) = nil
        def io_wait(_io, events, _timeout) = events
        def kernel_sleep(*) = nil
        def close = nil
        def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)
      end
      Thread.new do
        Fiber.set_scheduler(scheduler.new)
        6.times { Fiber.schedule { sleep 0; File.exist?('asked-11') } }
      end.join
    RUBY
  end
end
