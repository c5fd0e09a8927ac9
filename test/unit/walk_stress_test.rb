# frozen_string_literal: true

require_relative "../test_helper"
require "timeout"

# The walk with threads, signals, forks and a garbage collector that moves objects.
class WalkStressTest < Frugal::TestCase
  def setup
    super
    skip "needs the C engine" unless Frugal::Native.engine_name == :c
    400.times { |i| write("#{i % 20}/#{i % 7}/#{i}.c") }
    @paths = Dir.glob("#{tree}/**/*")
  end

  def test_concurrent_walks_while_objects_move
    walks = Array.new(4) { Thread.new { Array.new(10) { Frugal.walk(tree, ext: nil, prune: %w[nothing]).to_a } } }
    20.times { GC.compact } if GC.respond_to?(:compact)
    walks.each { |walk| assert_equal [@paths], walk.value.uniq }
  end

  alone def test_under_gc_stress
    folder = path("3")
    expected = [Dir.glob("#{folder}/**/1*.c"), Dir.glob("#{folder}/**/*").first(3).size]
    GC.stress = true
    list = Frugal.walk(folder, glob: "**/1*.c", stat: :size)
    paths = list.to_a
    sizes = list.column(:size)
    streamed = Frugal.each_path(folder, sort: false).first(3)
    GC.stress = false
    assert_equal expected, [paths, streamed.size]
    assert_equal paths.map { |path| File.size(path) }, sizes
  ensure
    GC.stress = false
  end

  def test_interrupts_end_a_walk_and_close_its_descriptors
    assert_closes_its_descriptors do
      30.times do |i|
        Timeout.timeout(0.0002 * (i % 5 + 1)) { 200.times { Frugal.walk("/usr/lib") } }
        flunk "200 walks of /usr/lib in a millisecond"
      rescue Timeout::Error
        nil
      end
      20.times do
        thread = Thread.new { loop { Frugal.each_path("/usr/lib", sort: false) { |path| path } } }
        sleep 0.001
        thread.kill.join
      end
    end
  end

  def test_a_signal_whose_handler_returns_does_not_end_a_walk
    script = <<~'RUBY'
      require "frugal"
      count = 0
      trap("USR1") { count += 1 }
      Thread.new { 200.times { Process.kill("USR1", $$); sleep 0.0005 } }
      sizes = Array.new(10) { Frugal.count("/usr/lib") }
      sizes += Array.new(2) { Frugal.each_path("/usr/lib", sort: false).count }
      print sizes.uniq.size, " ", count.positive?
    RUBY
    assert_equal "1 true", run_ruby("-e", script).out
  end

  # Nothing ends the loop of an Enumerator whose fiber is not resumed: the collector ends its threads and frees the walk.
  def test_streams_that_are_abandoned
    script = <<~'RUBY'
      require "frugal"
      20.times do
        Frugal.each_path("/usr/lib", sort: false).next
        GC.start
      end
      print Frugal.each_path(ARGV[0], sort: false).count
    RUBY
    result = run_ruby("-e", script, tree)
    assert_equal @paths.size.to_s, result.out, result
  end

  def test_a_fork_during_a_walk
    script = <<~'RUBY'
      require "frugal"
      walks = Thread.new { loop { Frugal.walk("/usr/lib") } }
      statuses = Array.new(20) do
        pid = fork { GC.start; exit!(Frugal.walk(ARGV[0]).size == Integer(ARGV[1]) ? 0 : 1) }
        Process.wait2(pid).last.exitstatus
      end
      walks.kill
      Frugal.each_path(ARGV[0], sort: false) do
        Process.wait(fork { exit!(Frugal.count(ARGV[0]) == Integer(ARGV[1]) ? 0 : 1) })
        statuses << $?.exitstatus
        break
      end
      print statuses.tally
    RUBY
    # A child frees the lists that its parent has dropped, up to a hundred megabytes, whose pages the kernel copies first.
    # That takes half a second of processor time, and a busy machine gives it a tenth of one.
    assert_equal({ 0 => 21 }.inspect, run_ruby("-e", script, tree, @paths.size.to_s, timeout: 280).out)
  end
end
