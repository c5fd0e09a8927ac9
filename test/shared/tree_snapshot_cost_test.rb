# frozen_string_literal: true

require_relative "../test_helper"
require "etc"

# Counts the system calls in the Cost lines of Frugal::TreeSnapshot.
class TreeSnapshotCostTest < Frugal::TestCase
  C = Frugal::Native.engine_name == :c
  ROOT_CALLS = C ? %w[open fstat close] : %w[stat]

  def setup
    skip_where_times_are_not_trusted
    @root = mkdir("root")
  end

  def test_an_unchanged_tree_is_one_stat_per_directory
    20.times { |i| write("root/#{i % 4}/#{i}/file") } # 24 directories below the root
    assert_cost_without_changes(24)
  end

  def test_one_descriptor_for_many_sibling_directories
    25.times { |i| mkdir("root/wide/#{i}") }
    assert_cost_without_changes(26, opened: 1)
  end

  def test_one_descriptor_for_24_levels
    mkdir("root/#{"d/" * 48}")
    # The directory at level 24 is opened; the one at level 48 is not, as nothing is below it.
    assert_cost_without_changes(48, opened: 1)
  end

  def test_a_change_is_one_listing
    20.times { |i| write("root/#{i % 4}/#{i}/file") }
    snapshot = settled
    write("root/2/6/new")
    # One `fstatat` finds the change; the `fstat` of the listing is compared from now on.
    listing = %w[open fstat getdents getdents close]
    listing = ["lstat", "lstat", *listing, "lstat", "lstat"] unless C
    listing += %w[fstat fstat] if C # to find the root's mount, whose file system is already known
    old = (Etc.uname[:release].split(".").map(&:to_i) <=> [6, 8]).negative?
    skip "before Linux 6.8, the number of a mount may be reused" if C && old
    expected = (ROOT_CALLS + (["lstat"] * 24) + listing).tally
    found = counted { snapshot.refresh }
    if C
      assert_equal(expected, found)
    else
      assert_equal(expected.slice("lstat", "getdents"),
                   found.slice("lstat", "getdents"))
    end
  end

  def test_allocates_strings_only_for_changed_paths
    skip "the pure engine's paths are strings" unless C
    20.times { |i| write("root/#{i % 4}/#{i}/file") }
    snapshot = settled
    few = allocations { snapshot.refresh }
    400.times { |i| write("root/more/#{i}/file") }
    snapshot.refresh
    settle
    snapshot.refresh
    assert_operator allocations { snapshot.refresh }, :<=, few
    assert_operator few, :<, 20
  end

  private

  def assert_cost_without_changes(directories, opened: 0)
    snapshot = settled
    expected = (ROOT_CALLS + (["lstat"] * directories) + (C ? %w[open close] * opened : [])).tally
    assert_equal expected, counted { snapshot.refresh }
    assert_cost(exceptions: 0) { snapshot.refresh }
  end

  # Makes the tree old enough that its times are reliable.
  def settled
    settle
    Frugal::TreeSnapshot.new(@root)
  end

  # Some Rubies rewind a directory before they list it.
  def counted(&block) = measure_cost(&block).syscalls.tally.except("lseek")
end
