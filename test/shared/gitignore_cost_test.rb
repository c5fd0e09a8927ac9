# frozen_string_literal: true

require "etc"
require_relative "../test_helper"
require_relative "../support/ignore_world"

# Counts the system calls in the Cost lines of `gitignore: true`.
class GitignoreCostTest < Frugal::TestCase
  LISTING = %w[open getdents getdents close].freeze
  FILE = %w[open fstat read close].freeze

  def setup
    skip "the pure engine asks what Dir and File ask" unless Frugal::Native.engine_name == :c
    skip_where_times_are_not_trusted
    @root = mkdir("root")
    20.times { |i| write("root/#{i % 4}/#{i}/file") } # 24 directories below the root
  end

  # Without a repository, all directories up to "/" are checked for one.
  def test_a_tree_without_rules
    above = @root.count("/")
    assert_calls %w[lstat readlink] + (["lstat"] * above) + (LISTING * 25)
  end

  def test_each_file_of_rules_is_read_once
    IgnoreWorld.new([], {}).build(@root)
    %w[. 1 1/5 2/6].each { |folder| write("root/#{folder}/.gitignore", "*.o\n") }
    # .git/HEAD is checked at the start and in the listing; info/exclude is empty, so not read.
    assert_calls %w[lstat lstat open fstat close] + (FILE * 4) + (LISTING * 25)
    write("root/.git/info/exclude", "*.i\n")
    assert_calls %w[lstat lstat] + (FILE * 5) + (LISTING * 25)
  end

  def test_rules_above_the_root
    IgnoreWorld.new([], { IgnoreWorld::EXCLUDE => "*.i\n" }).build(@root)
    write("root/.gitignore", "*.o\n")
    # 1/5 and 1 have no .gitignore; that of 1 is looked up.
    assert_calls %w[lstat readlink lstat lstat open] + (FILE * 2) + LISTING, root: "#{@root}/1/5"
  end

  def test_an_ignored_directory_costs_nothing
    write("root/.gitignore", "1\n")
    few = calls(@root)
    write("root/1/.gitignore", "x\n")
    100.times { |i| write("root/1/more/#{i}/file") }
    assert_equal few, calls(@root)
  end

  def test_a_link_a_directory_and_other_names_are_not_opened
    symlink("3/x", "root/.gitignore")
    mkdir("root/1/.gitignore")
    write("root/2/gitignore")
    above = @root.count("/")
    assert_calls %w[lstat readlink] + (["lstat"] * above) + (LISTING * 26), hidden: true
  end

  def test_no_string_for_ignored_paths
    write("root/.gitignore", "*.o\n")
    few = allocations { Frugal.each_path(@root, sort: false, gitignore: true) { |_| nil } }
    400.times { |i| write("root/1/#{i}.o") }
    assert_operator allocations { Frugal.each_path(@root, sort: false, gitignore: true) { |_| nil } }, :<=, few
  end

  def test_an_unchanged_tree_is_one_stat_more_for_each_file_of_rules
    %w[. 1 1/5].each { |folder| write("root/#{folder}/.gitignore", "*.o\n") }
    above = @root.count("/")
    snapshot = settled
    calls = %w[open fstat close] + %w[lstat readlink] + (["lstat"] * (above + 24 + 3))
    assert_equal calls.tally, counted { snapshot.refresh }
    write("root/1/.gitignore", "*.i\n")
    # Everything below is listed again: 1 and its five directories, with `fstat`, and the two with rules.
    relisted = mount + calls + (%w[open fstat getdents getdents close] * 6) + (FILE * 2)
    assert_equal relisted.tally, counted { snapshot.refresh }
  end

  def test_a_repository_is_listed_by_each_refresh
    IgnoreWorld.new([], { IgnoreWorld::EXCLUDE => "*.i\n" }).build(@root)
    write("root/.gitignore", "*.o\n")
    snapshot = settled
    calls = mount + %w[open fstat close] + %w[lstat] + (["lstat"] * 24) + %w[fstat getdents getdents lstat] + (FILE * 2)
    assert_equal calls.tally, counted { snapshot.refresh }
  end

  private

  def assert_calls(expected, root: @root, **options)
    assert_equal expected.tally, calls(root, **options)
    assert_cost(exceptions: 0) { Frugal.count(root, gitignore: true) }
  end

  def calls(root, **options) = counted { Frugal.count(root, gitignore: true, **options) }

  def counted(&block) = measure_cost(&block).syscalls.tally

  # The calls to find the root's mount after a directory was listed again; its file system is already known.
  def mount
    kernel = Etc.uname[:release].split(".").map(&:to_i)
    skip "before Linux 6.8, the number of a mount may be another's later" if (kernel <=> [6, 8]).negative?
    %w[fstat fstat]
  end

  # Makes the tree old enough that its times are reliable.
  def settled
    settle
    Frugal::TreeSnapshot.new(@root, gitignore: true)
  end
end
