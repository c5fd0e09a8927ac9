# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/profile"

# `Frugal::Cost`, `assert_cost` and `cost` in a process that is profiled: the same numbers as elsewhere, and a profile
# as without them.
class MeasuredBlocksTest < Frugal::TestCase
  # Other threads and processes work at the same time; the first calls fill caches.
  BLOCKS = <<~'RUBY'
    require "frugal/cost"
    def show(name, &block)
      cost = Frugal::Cost.of(&block)
      events = cost.events.map do |event|
        what = event.is_a?(Frugal::Profile::Raise) ? [event.class_name, event.ancestors, event.depth] : [event.name, event.path, event.to, (event.bytes unless event.name == :fork)]
        [*what, event.error, event.site.to_s, event.stack.frames.map(&:line)]
      end
      puts name, cost.counts.except(:allocations).inspect, events.inspect
    end
    File.write("file", "text")
    File.symlink("file", "link")
    $stdout.sync = true
    done = false
    noise = 2.times.map { |number| Thread.new { File.exist?("noise#{number}") until done } }
    sleep 0.01
    3.times do |round|
      show("nothing") {}
      show("stat") { File.stat("file") }
      show("questions") { File.exist?("a#{round}"); File.exist?("file"); File.lstat("file"); File.readlink("link"); File.realpath("link") }
      show("missing") { File.stat("missing") rescue nil }
      show("directory") { Dir.mkdir("folder#{round}"); Dir.children(".") }
      show("raises") { 2.times { raise KeyError rescue nil }; Integer("x") rescue 0 }
      show("files") { File.write("new", "x" * round); File.read("new"); File.rename("new", "newer"); File.unlink("newer") }
      show("processes") { system("/bin/true"); Process.wait(fork { File.exist?("in a fork"); exit! }); `/bin/echo 1` }
      show("threads") { Thread.new { File.exist?("in a thread") }.join; File.exist?("outside") }
      show("evaluated") { eval("File.exist?('evaluated')", binding, "eval#{round}.rb", 7) }
      Frugal::Cost.of { break }
      show("output") { $stdout.syswrite("") ; File.exist?("x") }
    end
    done = true
    noise.each(&:join)
  RUBY
  ALLOCATIONS = <<~'RUBY'
    require "frugal/cost"
    blocks = [-> {}, -> { Object.new }, -> { File.exist?("x") }, -> { File.stat("x") rescue 0 }, -> { Array.new(100) { "x" * 9 } }]
    p Array.new(4) { blocks.map { |block| Frugal::Cost.of(&block).counts[:allocations] } }.last
  RUBY
  TEST = <<~'RUBY'
    require "minitest/autorun"
    require "frugal/minitest"
    class UserTest < Minitest::Test
      def test_cost = assert_equal(5, assert_cost(syscalls: 1, exceptions: 0) { File.stat("."); 5 })
      def test_other = assert_cost(syscalls: 3, exceptions: 3) { 3.times { File.stat("x") rescue 0 } }
    end
  RUBY

  def setup
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
  end

  def test_counts_and_events_are_those_of_a_process_that_is_not_profiled
    assert_same_output(BLOCKS)
  end

  # For root, Ruby starts programs by fork(2), for everybody else by vfork(2), whose child is in our memory.
  def test_programs_that_a_user_starts
    needs_a_checkout_for_nobody if Process.uid.zero? # the programs preload the recorder
    assert_same_output(<<~RUBY)
      require "frugal/cost"
      Frugal::Cost.of { File.exist?("/") }
      #{BECOME_NOBODY}
      2.times { cost = Frugal::Cost.of { system("/bin/true") }; p cost.counts[:syscalls], cost.events.map(&:name) }
    RUBY
  end

  def test_allocations
    assert_same_output(ALLOCATIONS)
  end

  # The log of the process has no room for the details; the counts are exact all the same.
  def test_a_full_log
    script = "require 'frugal/cost'; 40_000.times { File.exist?('x') }; " \
             "p Frugal::Cost.of { 2.times { File.stat('y') rescue 0 }; Dir.children('.') }.counts.except(:allocations)"
    recording = assert_same_output(script, limit_mib: 1)
    assert_operator recording.dropped, :>, 0
  end

  # Blocks change nothing in the log of the process.
  def test_the_profile_has_the_same_calls
    plain, measured = ["->(&block) { block.call }", "Frugal::Cost.method(:of)"].map do |how|
      script = "require 'frugal/cost'; Frugal::Cost.of {}; measure = #{how}; " \
               "9.times { |i| measure.call { File.exist?(%(a\#{i})); File.stat('none') rescue 0 }; File.exist?('between') }"
      recording = profile(script)
      [recording.calls.select { |call| call.path&.match?(%r{/(a\d|none|between)\z}) }.map { |call| [call.name, call.path, call.error] },
       recording.raises.count { |event| event.site&.file&.end_with?("program.rb") }]
    end
    assert_equal plain, measured
    assert_equal [27, 9], [measured.first.size, measured.last]
  end

  # What leaves a block in a fork has nothing of the parent.
  def test_a_fork_that_leaves_the_block
    script = "require 'frugal/cost'; cost = Frugal::Cost.of { File.exist?('x'); fork || Process.pid }; " \
             "File.write(cost.value == Process.pid ? 'child' : 'parent', cost.counts[:syscalls].to_s); Process.waitall"
    profile(script)
    assert_equal %w[0 2], %w[child parent].map { |name| File.read(path(name)) }
  end

  # As where the program's bundle has a frugal of its own.
  def test_another_copy_of_frugal
    FileUtils.cp_r(LIB, tree)
    copied = ["-I", path("lib")]
    assert_same_output("require 'frugal/cost'; p Frugal::Cost.of { File.stat('.'); File.exist?('x') }.counts.except(:allocations)", options: copied)
  end

  def test_a_suite_below_profile_and_budget
    write("test.rb", TEST)
    write("Rakefile", %(task(:test) { ruby "-W0", "-I", #{LIB.inspect}, "test.rb" }\n))
    rake = [RUBY, "-W0", Gem.bin_path("rake", "rake"), "test"]
    [%w[profile], %w[budget --max-calls 1000000]].each do |arguments|
      result = run_command(RUBY, "#{ROOT}/exe/frugal", *arguments, "--", *rake, chdir: tree)
      assert_equal 0, result.exitstatus, result
      assert_match(/^2 runs, 3 assertions, 0 failures, 0 errors, 0 skips$/, result.out)
    end
  end

  private

  # @return [Frugal::Profile::Recording]
  def assert_same_output(script, options: ["-I", LIB], **settings)
    write("program.rb", script)
    FileUtils.mkdir_p(path("work"))
    plain = run_command(RUBY, "-W0", *options, path("program.rb"), chdir: path("work"))
    FileUtils.rm_r(path("work"))
    FileUtils.mkdir_p(path("work"))
    recording = profile(script, options: options, chdir: path("work"), **settings)
    assert plain.success? && recording.status.success?, "#{plain}\n#{output}"
    assert_equal plain.out, output
    recording
  end

  def profile(script, options: ["-I", LIB], chdir: tree, **settings)
    write("program.rb", script)
    out = path("out")
    Frugal::Profile::Run.new([RUBY, "-W0", *options, path("program.rb")], chdir: chdir, in: File::NULL, out: out, err: out, **settings).call
  end

  def output = File.read(path("out"))
end
