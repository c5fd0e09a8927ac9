# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/recorded_programs"

# The paths of calls, where descriptors and directories change.
class RecordedPathsTest < Frugal::TestCase
  include RecordedPrograms

  def ruby(script, **options) = record_same(RUBY, "-W0", "-e", script, **options)

  # @return [Array<String>] the paths below the tree of the calls with this name
  def paths(recording, *names)
    base = "#{File.realpath(tree)}/"
    recording.calls.select { |call| names.include?(call.name) && call.path&.start_with?(base) }.map { |call| call.path.delete_prefix(base) }
  end

  def test_beneath_a_directory_that_was_renamed
    recording = ruby(<<~'RUBY')
      Dir.mkdir("a"); Dir.mkdir("a/b")
      file = File.open("a/b/file", "w")
      Dir.chdir("a/b")
      File.exist?("before")
      File.rename("../../a", "../../c")
      File.exist?("after")
      file.syswrite("x")
    RUBY
    assert_equal ["a/b/before", "c/b/after", "c/b/file"], paths(recording, :stat, :write).grep(/before|after|file/)
  end

  # The path by which the program opened the file stays.
  def test_a_file_that_was_renamed
    recording = ruby("f = File.open('a', 'w'); File.rename('a', 'b'); f.syswrite('x'); File.exist?('c')")
    assert_equal %w[a c], paths(recording, :write, :stat).grep(/\A[ac]\z/)
  end

  def test_a_directory_that_one_thread_changes_while_others_ask
    recording = ruby(<<~'RUBY')
      Dir.mkdir("x"); Dir.mkdir("y")
      base = Dir.pwd
      asking = Array.new(3) { Thread.new { 3000.times { File.exist?("asked") } } }
      1000.times { |i| Dir.chdir("#{base}/#{i.odd? ? "x" : "y"}") }
      asking.each(&:join)
      Dir.chdir("#{base}/y") { File.exist?("last") }
      Dir.chdir("#{base}/x"); File.exist?("last")
    RUBY
    assert_equal ["y/last", "x/last"], paths(recording, :stat).grep(/last/)
    assert_empty paths(recording, :stat).grep(/asked/) - %w[asked x/asked y/asked]
  end

  def test_more_descriptors_than_most_programs_have
    limit = Process.getrlimit(:NOFILE).last
    skip "at most #{limit} descriptors are allowed here" if limit < 6000
    recording = ruby(<<~'RUBY', rlimit_nofile: 6000)
      files = 5500.times.map { |i| File.open("f%d" % (i % 9), "w") }
      files.last.syswrite("x")
      files.each(&:close)
      File.open("next", "w") { |file| file.syswrite("y") }
    RUBY
    assert_equal ["f0", "next"], paths(recording, :write)
    assert_equal 5501, paths(recording, :close).size
  end

  def test_copies_of_descriptors
    recording = ruby(<<~'RUBY')
      a, b = File.open("a", "w"), File.open("b", "w")
      b.reopen(a)
      b.syswrite("x")
      system("true", out: a)
      $stdout.syswrite("to the output\n")
      IO.for_fd(a.fcntl(0, 100)).syswrite("x")
    RUBY
    assert_equal %w[a output a], paths(recording, :write)
  end

  def test_paths_as_long_as_they_may_be
    long = "d/" * 2040
    recording = ruby("name = #{long.inspect}; File.exist?(name + 'x'); File.exist?(name * 3); File.exist?('after')")
    errors = recording.calls.select { |call| call.name == :stat && call.path&.include?("d/d/d/d") }.map(&:error)
    assert_equal %w[ENOENT ENAMETOOLONG], errors
    assert_includes paths(recording, :stat), "after"
  end
end
