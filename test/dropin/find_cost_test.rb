# frozen_string_literal: true

require_relative "../test_helper"
require "find"
require "frugal/find"

# What a walk under the Find drop-in may ask the kernel: its Cost lines, to the call.
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
    skip "the drop-in stands aside here" unless Frugal::Dropin.status.any? { |one| one.name == :find && one.state == :on }
    3.times { |i| 5.times { |k| write("t/#{i}/#{k}") } }
  end

  # Stock: an lstat for each of the 19, and a File::Stat; fstat for each directory.
  def test_a_small_tree
    files = ["lstat"] * 5
    expected = ["stat", "lstat", *DIRECTORY, *((DIRECTORY + files) * 3)]
    assert_cost(syscalls: expected, exceptions: 0) { Find.find(path("t")) {} }
  end

  def test_what_cannot_be_entered_raises_no_exception
    assert_cost(exceptions: 0) { Find.find(path("t")) { |path| FileUtils.rm_rf(path) if path.end_with?("/1") } }
  end

  def test_one_string_a_path
    few = allocations { Find.find(path("t")) {} }
    100.times { |i| write("t/2/more#{i}") }
    assert_equal few + 100, allocations { Find.find(path("t")) {} }
  end

  def test_a_tree_under_watch
    calls = watched(path("t"))
    assert_equal 15, calls.count("epoll_wait")
    assert_equal 1, calls.count("lstat")
    assert_equal 0, calls.count("getcwd")
    assert_equal 4, calls.count("inotify_add_watch") - bounds
    assert_equal 5, calls.count("open") # the root is listed again, once a watch is there
  end

  def test_a_relative_root_under_watch
    calls = watched("t")
    assert_equal [15, 1 + 3], [calls.count("epoll_wait"), calls.count("getcwd")] # at first, and at each directory
    assert_equal 1, calls.count("lstat")
    calls = watched("t", "Dir.chdir('.')") # in the block: asked once after each
    assert_equal [15, 1 + 3 + 15], [calls.count("epoll_wait"), calls.count("getcwd")]
  end

  # Then nothing tells of a chdir: the kernel is asked for each path.
  def test_a_relative_root_where_chdir_is_not_rubys
    calls = watched("t", before: "def Dir.chdir(*) = super;")
    assert_equal [15, 1 + 3 + 15], [calls.count("epoll_wait"), calls.count("getcwd")]
  end

  private

  # The directories that an absolute root's path goes through, the root with them.
  def bounds = path("t").count("/")

  def watched(root, block = "", before: "")
    skip "system calls are counted with strace, which is not here" unless Cost::Strace.available?

    log = path("strace.log")
    result = run_command("strace", "-f", "-o", log, RUBY, "-I", LIB, "-e", before + format(WATCHING, block), root, chdir: tree)
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
