# frozen_string_literal: true

require_relative "../test_helper"
require "find"
require "frugal/find"

# The system calls of Find.find under the drop-in: exactly its Cost lines.
class FindCostTest < Frugal::TestCase
  DIRECTORY = %w[open fstatfs getdents getdents close].freeze
  WATCHING = <<~'RUBY'
    require "find"; require "frugal/find"
    Frugal::Dropin::Find.send(:remove_const, :WATCH_AFTER)
    Frugal::Dropin::Find::WATCH_AFTER = 0
    File.exist?("begin")
    Find.find(ARGV[0]) { %s }
    File.exist?("end")
  RUBY

  def setup
    on = Frugal::Dropin.status.any? { |one| one.name == :find && one.state == :on }
    skip "the drop-in stands aside here" unless on
    3.times { |i| 5.times { |k| write("t/#{i}/#{k}") } }
  end

  # Stock needs an `lstat` and a File::Stat for each of the 19 paths, and an `fstat` for each directory.
  def test_a_small_tree
    files = ["lstat"] * 5
    expected = ["stat", "lstat", *DIRECTORY, *((DIRECTORY + files) * 3)]
    assert_cost(syscalls: expected, exceptions: 0) { Find.find(path("t")) {} }
  end

  def test_directories_that_cannot_be_entered_raise_no_exception
    assert_cost(exceptions: 0) { Find.find(path("t")) { |path| FileUtils.rm_rf(path) if path.end_with?("/1") } }
  end

  def test_one_string_per_path
    few = allocations { Find.find(path("t")) {} }
    100.times { |i| write("t/2/more#{i}") }
    assert_equal few + 100, allocations { Find.find(path("t")) {} }
  end

  # Of the ring: a poll, one event that proves it, and then only the events: after each of the first two directories, whose
  # watches were removed, the next file needs a look at them. The last call ends the poll.
  def test_a_watched_tree
    calls = watched(path("t"))
    skip "no ring is allowed here" if calls.count("epoll_wait").positive?
    assert_equal [1, 2 + 2 + 1], [calls.count("io_uring_setup"), calls.count("io_uring_enter")]
    assert_a_watched_tree(calls, proofs: 1)
  end

  def test_a_watched_tree_without_a_ring
    calls = watched(path("t"), ring: false)
    assert_equal [15, 0], [calls.count("epoll_wait"), calls.count("io_uring_enter")]
    assert_a_watched_tree(calls, proofs: 0)
  end

  def test_a_watched_relative_root
    calls = watched("t")
    assert_equal 1 + 3, calls.count("getcwd") # once at first, and once for each directory
    assert_equal 1, calls.count("lstat")
    calls = watched("t", "Dir.chdir('.')") # in the block: asked once after each
    assert_equal 1 + 3 + 15, calls.count("getcwd")
  end

  # If Dir.chdir was redefined, its calls are not counted: `getcwd` is called for each path.
  def test_a_relative_root_with_a_redefined_chdir
    calls = watched("t", before: "def Dir.chdir(*) = super;")
    assert_equal 1 + 3 + 15, calls.count("getcwd")
  end

  private

  # The number of directories in the path of an absolute root, including the root.
  def bounds = path("t").count("/")

  def assert_a_watched_tree(calls, proofs:)
    assert_equal 1, calls.count("lstat")
    assert_equal 0, calls.count("getcwd")
    assert_equal 4 + proofs, calls.count("inotify_add_watch") - bounds
    assert_equal 5, calls.count("open") # the root is listed again after the watch begins
  end

  def watched(root, block = "", before: "", ring: true)
    skip "system calls are counted with strace, which is not here" unless Cost::Strace.available?

    log = path("strace.log")
    refused = ring ? [] : %w[-e inject=io_uring_setup:error=EPERM]
    result = run_command("strace", "-f", *refused, "-o", log, RUBY, "-I", LIB, "-e", before + format(WATCHING, block), root,
                         chdir: tree)
    assert result.success?, result
    names(File.readlines(log))
  end

  def names(lines)
    first, last = %w[begin end].map { |mark| lines.index { |line| line.include?(%("#{mark}")) } }
    lines[first + 1...last].filter_map do |line|
      name = line[/\A\d+\s+(\w+)\(/, 1]
      name = "lstat" if line.include?("AT_SYMLINK_NOFOLLOW")
      name == "openat" ? "open" : name
    end
  end
end
