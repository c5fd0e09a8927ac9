# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/session"

# Entries while a garbage collection runs at every allocation, and while their threads are killed.
class EntriesStressTest < Frugal::TestCase
  ID = "2::#{"a" * 64}"
  DESCRIPTORS = "/proc/self/fd"
  class Stopped < StandardError; end

  def setup
    @backend = Frugal::Session::FileBackend.new(path("sessions"), lock_wait: 1)
    @backend.create(ID, "0" * 200, 1, 1000)
  end

  alone def test_under_gc_stress
    skip "JRuby has no GC.stress" unless RUBY_ENGINE == "ruby"

    GC.stress = true
    (ALL ? [200, 5000, 70_000, 200] : [200, 70_000]).each do |size|
      visit("1" * size)
      assert_equal "1" * size, @backend.entries.read(Frugal::Entries.digest(ID)).bytes
    end
    assert_nil @backend.load("2::missing", true)
    assert_raises(ArgumentError) { @backend.entries.read("none") }
  ensure
    GC.stress = false
  end

  # Whatever moment they are at, descriptors are closed, by the collector at last, and the session is a whole one.
  def test_threads_that_are_killed
    skip "needs #{DESCRIPTORS}" unless File.directory?(DESCRIPTORS)
    skip "a file of JRuby is closed by its collector" if RUBY_ENGINE == "jruby" && Frugal::Native.engine_name == :pure

    before = open_files
    100.times do |n|
      thread = Thread.new { loop { visit((n % 10).to_s * [200, 1500, 20_000][n % 3]) } }
      sleep(rand / 1000)
      thread.report_on_exception = false
      n.even? ? thread.kill : thread.raise(Stopped)
      assert_nil thread.value
    rescue Stopped
      assert n.odd?
    end
    collect # closes what a kill between two statements has left open, unless an old stack still refers to it
    assert_operator open_files, :<, before + 10
    stored = @backend.load(ID, true) { |event, _| assert_equal :waited, event }
    assert_equal 1, stored.bytes.squeeze.size
    visit("end")
  ensure
    @backend.release(stored) if stored
  end

  def test_a_handle_that_is_closed_meanwhile
    errors = Array.new(50) do
      handle = @backend.entries.open(Frugal::Entries.digest(ID))
      thread = Thread.new { loop { handle.load } }
      thread.report_on_exception = false
      sleep(rand / 1000)
      handle.close
      assert_raises(IOError) { thread.value }
    end
    assert_equal 50, errors.size
  end

  private

  def visit(bytes)
    stored = @backend.load(ID, true) { nil }
    @backend.commit(stored, bytes, 1, 1000) { [bytes, 1] }
  ensure
    @backend.release(stored) if stored
  end

  # Java's collector tells what it has found a moment later, and the engine asks when it opens the next file.
  def collect
    return GC.start unless RUBY_ENGINE == "jruby"

    require "java"
    3.times do
      java.lang.System.gc
      sleep(0.05)
      @backend.release(@backend.load(ID, true) { nil })
    end
  end

  def open_files = Dir.children(DESCRIPTORS).size
end
