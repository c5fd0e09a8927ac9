# frozen_string_literal: true

# uses: musl

require_relative "../test_helper"
require_relative "../support/recorded_programs"

# The recorder next to other libraries, in another libc, and in programs that have little of everything.
class SurroundingsTest < Frugal::TestCase
  include RecordedPrograms

  LIBRARIES = "/{usr/lib,lib}/{*-linux-gnu,.}"

  def ruby(script, **options) = record_same(RUBY, "-W0", "-e", script, **options)

  # @param pattern [String] of a file in a folder of libraries
  def preloaded(pattern)
    library = Dir.glob("#{LIBRARIES}/#{pattern}").first or skip "#{pattern} is not installed"
    before = ENV.fetch("LD_PRELOAD", nil)
    ENV["LD_PRELOAD"] = library
    yield
  ensure
    ENV["LD_PRELOAD"] = before
  end

  { "jemalloc" => "libjemalloc.so.2", "tcmalloc" => "libtcmalloc_minimal.so.4" }.each do |name, pattern|
    define_method("test_#{name}") do
      recording = preloaded(pattern) { ruby("100.times { |i| File.exist?('f%d' % i) || 'x' * 9999 }; Process.wait(fork { File.exist?('child') })") }
      assert_empty ["child", *(0...100).map { |i| "f#{i}" }] - names(recording, :stat)
    end
  end

  # It slows the clock of the program down. That of the recorder goes on: the order of calls is their time.
  def test_a_library_that_changes_the_time
    script = "print Process.clock_gettime(Process::CLOCK_REALTIME, :second); 50.times { |i| File.exist?('f%02d' % i) }"
    recording = preloaded("faketime/libfaketime.so.1") { ruby(script, env: { "FAKETIME" => "@2020-02-02 00:00:00 x0.0001" }) }
    found = recording.calls.select { |call| call.path&.match?(%r{/f\d\d\z}) }
    assert_equal((0...50).map { |i| format("f%02d", i) }, found.map { |call| File.basename(call.path) })
    assert_equal 50, found.map(&:time).uniq.size
  end

  def test_a_program_of_another_libc
    skip "musl-gcc is not installed" unless system("which musl-gcc", out: File::NULL, err: File::NULL)
    built = run_command("musl-gcc", "-O1", "-o", path("program"), File.join(C_PROGRAMS, "small.c"))
    assert built.success?, built
    recording = record_same("sh", "-c", "#{path("program")} musl; echo $?")
    assert_equal [["musl", "ENOENT"], ["musl", nil]],
                 recording.calls.select { |call| call.path&.end_with?("/musl") && call.name == :stat }.map { |call| [File.basename(call.path), call.error] }
  end

  # A log that is as large as usual would take all that the program may have.
  def test_a_small_address_space
    script = "x = 'x' * 60_000_000; File.exist?('small'); print x.size"
    recording = ruby(script, rlimit_as: 340 << 20)
    assert recording.status.success?
    assert_includes names(recording, :stat), "small"
  end

  def test_threads_with_the_smallest_stacks
    recording = record_same(compile_program("threads"))
    assert_equal 16 * 20, names(recording, :write).size
    assert_includes names(recording, :stat), "of-handler"
  end

  def test_a_stack_that_overflows
    recording = ruby(<<~'RUBY', env: { "RUBY_THREAD_VM_STACK_SIZE" => "50000000" })
      def deep(n) = [1].sort_by { File.exist?("deep#{n % 50}"); deep(n + 1) }
      10.times { begin; deep(0); rescue SystemStackError => e; print e.class; end }
      Thread.new { 10.times { begin; deep(0); rescue SystemStackError; end } }.join
      Thread.new { File.exist?("after") }.join
    RUBY
    assert_includes names(recording, :stat), "after"
  end

  # Each asks Ruby for names of methods in C, where it may wait for a collection of garbage in another Ractor.
  def test_ractors_and_collections_of_garbage
    skip "Ractors are experimental, and crash in Ruby 3.0" if RUBY_VERSION < "3.1"
    recording = ruby(<<~'RUBY')
      ractors = 3.times.map do |n|
        Ractor.new(n) { |k| 200.times { |i| eval("\n" * i + "[1].each { File.exist?('r#{k}-#{i}') }") } }
      end
      100.times { GC.start(full_mark: false) }
      ractors.each { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take }
    RUBY
    found = recording.calls.select { |call| call.path&.match?(%r{/r\d-\d+\z}) }
    assert_equal 600, found.size
    assert_empty(found.reject { |call| call.path[/\d+\z/].to_i + 1 == call.stack.frames.find(&:source?)&.line })
  end
end
