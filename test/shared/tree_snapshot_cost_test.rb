# frozen_string_literal: true

require_relative "../test_helper"
require "etc"

# The Cost lines of Frugal::TreeSnapshot, counted.
class TreeSnapshotCostTest < Frugal::TestCase
  C = Frugal::Native.engine_name == :c
  ROOT_CALLS = C ? %w[open fstat close] : %w[stat]

  def setup
    skip_where_times_are_not_trusted
    @root = mkdir("root")
  end

  def test_an_unchanged_tree_is_one_stat_a_directory
    20.times { |i| write("root/#{i % 4}/#{i}/file") } # 24 directories below the root
    assert_cost_of_nothing(24)
  end

  def test_one_descriptor_where_many_directories_lie_side_by_side
    25.times { |i| mkdir("root/wide/#{i}") }
    assert_cost_of_nothing(26, opened: 1)
  end

  def test_one_descriptor_for_24_levels
    mkdir("root/#{"d/" * 48}")
    # The 24th is opened; below the 48th there is nothing to ask for.
    assert_cost_of_nothing(48, opened: 1)
  end

  def test_a_change_is_one_listing
    20.times { |i| write("root/#{i % 4}/#{i}/file") }
    snapshot = settled
    write("root/2/6/new")
    # One stat finds it, the fstat of the listing is what it is known by from now on.
    listing = C ? %w[open fstat getdents getdents close] : %w[lstat lstat open fstat getdents getdents close lstat lstat]
    listing += %w[fstat fstat] if C # which mount the root is on, whose file system is known by now
    skip "before Linux 6.8, the number of a mount may be another's later" if C && (Etc.uname[:release].split(".").map(&:to_i) <=> [6, 8]).negative?
    expected = (ROOT_CALLS + (["lstat"] * 24) + listing).tally
    found = counted { snapshot.refresh }
    C ? assert_equal(expected, found) : assert_equal(expected.slice("lstat", "getdents"), found.slice("lstat", "getdents"))
  end

  def test_strings_of_what_changed_only
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

  def assert_cost_of_nothing(directories, opened: 0)
    snapshot = settled
    expected = (ROOT_CALLS + (["lstat"] * directories) + (C ? %w[open close] * opened : [])).tally
    assert_equal expected, counted { snapshot.refresh }
    assert_cost(exceptions: 0) { snapshot.refresh }
  end

  # Old enough to be known by its times.
  def settled
    settle
    Frugal::TreeSnapshot.new(@root)
  end

  # Some Rubies rewind a directory before they list it.
  def counted(&block) = measure_cost(&block).syscalls.tally.except("lseek")
end
