# frozen_string_literal: true

require_relative "../test_helper"

# The symbols that the compiled library exports, and its probes under garbage collection,
# compaction, threads and Ractors.
class NativeLibraryTest < Frugal::TestCase
  LIBRARY = File.join(ROOT, "lib/frugal/native", Frugal::Platform::ABI, "frugal.#{RbConfig::CONFIG["DLEXT"]}")
  ANSWERS = <<~'RUBY'
    native = Frugal::Native.engine
    dir = ARGV.fetch(0)
    file = "#{dir}/file"
    loop_ = "#{dir}/loop/x"
    answers = lambda do
      faults = [-> { native.mtime(loop_) }, -> { native.mtimes([file, loop_]) }, -> { native.type(loop_) },
                -> { native.entries(loop_) }, -> { native.read(loop_) }, -> { native.mtimes([file, nil]) }]
      [native.mtime(file), native.mtimes([file, "#{dir}/missing"] * 3), native.type(file), native.entries(dir).sort,
       native.read(file), native.read("#{dir}/missing"),
       faults.map { |fault| begin; fault.call; rescue SystemCallError, TypeError => error; error.message; end }]
    end
    expected = answers.call
  RUBY

  def setup
    write("file", "content " * 1000, mtime: Time.at(1))
    File.symlink("loop", path("loop"))
  end

  def test_only_init_is_exported
    symbols = run_command("nm", *("-D" if RUBY_PLATFORM.include?("linux")), "--defined-only", LIBRARY)
    assert symbols.success?, symbols
    assert_equal ["Init_frugal"], symbols.out.lines.map { |line| line.split.last.delete_prefix("_") }
  end

  def test_answers_under_gc_stress
    assert_script <<~RUBY
      GC.stress = true
      actual = answers.call
      GC.stress = false
      abort actual.inspect unless actual == expected
    RUBY
  end

  def test_answers_while_the_heap_is_compacted
    skip "this Ruby does not compact" unless GC.respond_to?(:compact)

    assert_script <<~RUBY
      GC.auto_compact = true
      done = false
      compactor = Thread.new { GC.compact until done }
      actual = Array.new(20) { answers.call } + Array.new(20) { native.mtimes([file] * 5000).uniq }
      done = true
      compactor.join
      abort actual.inspect unless actual == [expected] * 20 + [[expected.first]] * 20
    RUBY
  end

  def test_answers_from_many_threads
    assert_script <<~RUBY
      actual = Array.new(8) { Thread.new { Array.new(20) { answers.call } } }.flat_map(&:value)
      abort actual.inspect unless actual.uniq == [expected]
    RUBY
  end

  def test_paths_that_another_thread_changes
    assert_script <<~RUBY
      paths = Array.new(5000) { file.dup }
      done = false
      writer = Thread.new { paths.each { |path| path.replace("x" * rand(200)) && path.replace(file) } until done }
      20.times { native.mtimes(paths) }
      done = true
      writer.join
      abort "another result than before" unless native.mtimes(paths).uniq == [expected.first]
    RUBY
  end

  def test_answers_in_a_ractor
    result = run_ruby("-W0", RACTOR_VALUE, "-e", <<~RUBY, tree)
      Frugal::Native.engine
      puts Ractor.new(ARGV[0]) { |dir|
        [Frugal.mtime(dir + "/file").to_i, Frugal.mtimes([dir + "/file"]).first.to_i, Frugal.type(dir),
         Frugal.entries(dir).size, Frugal.read(dir + "/file").size].join(" ")
      }.value
    RUBY
    assert_equal "1 1 directory 4 8000\n", result.out, result
  end

  def test_no_memory_leaks
    assert_script <<~RUBY
      rss = -> { GC.start; File.read("/proc/self/statm").split[1].to_i * 4096 }
      paths = [file] * 1000
      work = lambda do
        100.times { native.mtimes(paths); native.entries(dir); native.read(file) }
        100.times { begin; native.mtimes(paths + [nil]); rescue TypeError; nil; end }
      end
      work.call
      before = rss.call
      20.times { work.call }
      grown = rss.call - before
      abort "grown by \#{grown} bytes" if grown > 20_000_000
    RUBY
  end

  private

  def assert_script(script)
    result = run_ruby("-e", ANSWERS + script, tree)
    assert result.success?, result
    assert_empty result.err
  end
end
