# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/cost_program"

# The cost of a block, counted by the recorder in the process itself.
class CostTest < Frugal::TestCase
  include CostProgram

  def test_counts_and_value
    write("file", "text")
    symlink("file", "link")
    assert_equal <<~TEXT, output(<<~'RUBY')
      {:syscalls=>1, :stats=>1, :opens=>0, :reads=>0, :writes=>0, :exceptions=>0}
      {:syscalls=>4, :stats=>3, :opens=>0, :reads=>1, :writes=>0, :exceptions=>0}
      {:syscalls=>1, :stats=>1, :opens=>0, :reads=>0, :writes=>0, :exceptions=>1}
      {:syscalls=>1, :stats=>0, :opens=>0, :reads=>0, :writes=>1, :exceptions=>0}
      {:syscalls=>0, :stats=>0, :opens=>0, :reads=>0, :writes=>0, :exceptions=>2}
      :value
    TEXT
      require "frugal/cost"
      def show(&block) = puts(Frugal::Cost.of(&block).counts.reject { |name, _| name == :allocations }.inspect.gsub(" => ", "=>").gsub(/(\w+): /, ':\1=>'))
      show { File.stat("file") }
      show { File.exist?("a"); File.exist?("file"); File.lstat("file"); File.readlink("link") }
      show { File.stat("missing") rescue nil }
      show { Dir.mkdir("folder") }
      show { 2.times { raise KeyError rescue nil } }
      p Frugal::Cost.of { :value }.value
    RUBY
  end

  # Ruby fills its caches in the first calls.
  def test_allocations_from_the_third_call_on
    assert_equal "[0, 1, 2]\n", output(<<~RUBY)
      require "frugal/cost"
      blocks = [-> {}, -> { Object.new }, -> { [Object.new] }]
      p Array.new(3) { blocks.map { |block| Frugal::Cost.of(&block).counts[:allocations] } }.last
    RUBY
  end

  def test_equal_in_every_run
    write("file", "text")
    costs = output(<<~RUBY).lines
      require "frugal/cost"
      20.times { p Frugal::Cost.of { File.read("file"); Dir.children("."); Array.new(100) { Object.new } }.counts }
    RUBY
    assert_equal [20, 1], [costs.size, costs.drop(2).uniq.size], costs.uniq
  end

  # A file that was left open is closed by the collector, at any time.
  def test_the_garbage_collector_does_not_count
    assert_equal "[0, 0]\n[false, false, true]\n", output(<<~RUBY)
      require "frugal/cost"
      def leave_open = 20.times { File.open(__FILE__) }
      Frugal::Cost.of {}
      p([0, 300_000].map { |size| leave_open; Frugal::Cost.of { Array.new(size) { "x" * 50 }; nil }.counts[:syscalls] })
      before = GC.disable.tap { GC.enable }
      Frugal::Cost.of {}
      after = GC.disable
      Frugal::Cost.of {}
      p [before, after, GC.disable]
    RUBY
  end

  def test_the_standard_output_does_not_count
    code = "require 'frugal/cost'; p Frugal::Cost.of { $stdout.syswrite(1); File.write('f', 1) }.counts[:writes]"
    assert_equal "11\n", output(code)
    pid = Process.spawn(RUBY, "-I", LIB, path("program.rb"), chdir: tree, out: path("out"))
    Process.wait(pid)
    assert_equal "11\n", File.read(path("out"))
  end

  def test_only_the_calling_thread_counts
    assert_equal "[1, 1]\n", output(<<~RUBY)
      require "frugal/cost"
      stop = false
      busy = Thread.new { File.exist?("x") until stop }
      inner = Frugal::Cost.of { Thread.new { File.stat(".") }.join; File.stat(".") }
      stop = true
      busy.join
      p [inner.counts[:syscalls], inner.events.size]
    RUBY
  end

  def test_threads_that_measure_at_the_same_time
    assert_equal "[1, 2, 3, 4, 5, 6, 7, 8]\n", output(<<~RUBY)
      require "frugal/cost"
      threads = (1..8).map { |number| Thread.new { Frugal::Cost.of { number.times { File.stat("."); Thread.pass } } } }
      p threads.map { |thread| thread.value.counts[:stats] }
    RUBY
  end

  # It neither spoils the next measurement nor is it lost.
  def test_what_leaves_the_block_passes_through
    assert_equal "#<KeyError: no>\n3\n:thrown\n[1, false]\n", output(<<~RUBY)
      require "frugal/cost"
      begin
        Frugal::Cost.of { File.stat("."); raise KeyError, "no" }
      rescue => error
        p error
      end
      p Frugal::Cost.of { break 3 }
      p catch(:out) { Frugal::Cost.of { throw :out, :thrown } }
      p [Frugal::Cost.of { File.stat(".") }.counts[:syscalls], GC.disable]
    RUBY
  end

  def test_a_block_in_a_block
    assert_equal "a block that is measured cannot measure another one\n1\n", output(<<~RUBY)
      require "frugal/cost"
      Frugal::Cost.of { Frugal::Cost.of {} } rescue puts $!.message
      p Frugal::Cost.of { File.stat(".") }.counts[:stats]
    RUBY
  end

  def test_in_a_fork
    assert_equal "1\n1\n", output(<<~RUBY)
      require "frugal/cost"
      Frugal::Cost.of {}
      Process.wait(fork { puts Frugal::Cost.of { File.stat(".") }.counts[:stats] })
      p Frugal::Cost.of { fork { exit! }; Process.wait; File.stat(".") }.counts[:stats]
    RUBY
  end

  def test_a_process_that_cannot_count
    code = "require 'frugal/cost'; p Frugal::Cost.available?, (Frugal::Cost.of {} rescue $!).class"
    assert_equal "true\nFrugal::Cost\n", output(code)
    FileUtils.cp_r(LIB, tree)
    FileUtils.rm(Dir.glob(path("lib/frugal/native/*/recorder.so")))
    assert_equal "false\nFrugal::Cost::Unavailable\n", output(code, "-I", path("lib"))
    assert_includes program("require 'frugal/cost'; Frugal::Cost.of {}", "-I", path("lib")).err,
                    "costs cannot be counted: the native recorder is not compiled: run bin/setup in a checkout"
  end
end
