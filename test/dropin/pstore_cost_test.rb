# frozen_string_literal: true

require_relative "../test_helper"
require "etc"
require "yaml/store"
require "frugal/pstore"

# The system calls of a transaction with the PStore drop-in: exactly those of its *Cost*
# lines. Stock 0.3.0 needs 7 (read-only), 10 (unchanged), 13 (changed), and 19 with ultra_safe.
class PStoreCostTest < Frugal::TestCase
  UNCHANGED = %w[flock stat flock].freeze
  CHANGED = %w[flock stat pwrite fstat flock].freeze

  def setup
    skip "the costs are those of the C engine" unless Frugal::Native.engine_name == :c
    skip_where_times_are_not_trusted
    @store = filled(PStore.new(path("a.store")))
  end

  def test_read_only
    assert_cost(syscalls: %w[stat], exceptions: 0) { @store.transaction(true) { @store[:number] } }
    assert_cost(syscalls: %w[stat], exceptions: 0) { @store.transaction(true) {} }
  end

  def test_read_only_without_a_file
    store = PStore.new(path("missing"))
    store.transaction(true) {}
    filled(store)
    File.unlink(store.path)
    assert_cost(syscalls: %w[stat], exceptions: 0) { store.transaction(true) { store[:number] } }
  end

  def test_unchanged
    assert_calls(UNCHANGED) { @store.transaction { @store[:number] } }
    assert_calls(UNCHANGED) { @store.transaction { @store[:number] = 1 } }
    assert_calls(UNCHANGED) { @store.transaction { @store[:text] = "text" } }
    assert_calls(UNCHANGED) { @store.transaction { @store.abort } }
  end

  def test_changed
    assert_calls(CHANGED) { @store.transaction { @store[:number] = 2 } }
    assert_calls(CHANGED * 3) { 3.times { |n| @store.transaction { @store[:number] = n + 7 } } }
    assert_calls(CHANGED) { @store.transaction { @store[:more] = "x" * 200 } }
    assert_calls([*CHANGED, "stat"]) do
      @store.transaction { @store[:number] = 2 }
      @store.transaction(true) { @store[:number] }
    end
  end

  # Nothing is allocated for roots that are added or removed, or that share objects, if there are none.
  def test_objects_of_a_root_that_is_dumped
    @store.transaction { @store[:list] = [1] }
    assert_operator allocations { @store.transaction { @store[:list] = @store[:list].itself } }, :<=, 16
    number = 0
    assert_operator allocations { @store.transaction { @store[:list] = [number += 1] } }, :<=, 12
  end

  def test_smaller
    assert_calls(%w[flock stat pwrite ftruncate fstat flock]) { @store.transaction { @store[:text] = "" } }
  end

  def test_blocks_are_allocated_before_the_first_byte_is_overwritten
    assert_calls(%w[flock stat fallocate pwrite fstat flock]) { @store.transaction { @store[:text] = "x" * 5000 } }
  end

  def test_a_stores_first_transactions
    calls = %w[open fstat flock stat pread flock]
    [true, false].each do |read_only|
      store = PStore.new(@store.path)
      assert_equal calls, without_mount_calls(measure_cost { store.transaction(read_only) {} })
    end
  end

  def test_a_file_on_a_mount_that_was_seen_before
    skip "before Linux 6.8, mount ids are reused" unless unique_mounts?
    store = PStore.new(@store.path)
    assert_cost(syscalls: %w[open fstat fstat flock stat pread flock], exceptions: 0) { store.transaction {} }
  end

  def test_ultra_safe
    @store.ultra_safe = true
    calls = %w[flock stat lstat open flock write fstat fchmod fsync rename fstat close flock]
    assert_calls(calls) { @store.transaction { @store[:number] = 2 } }
  end

  def test_yaml
    store = filled(YAML::Store.new(path("a.yml")))
    store.transaction { store[:number] }
    assert_cost(syscalls: %w[stat], exceptions: 0) { store.transaction(true) { store[:number] } }
    assert_calls(UNCHANGED, store, dump: psych) { store.transaction { store[:number] = 1 } }
    assert_calls(CHANGED, store, dump: psych) { store.transaction { store[:number] = 2 } }
  end

  private

  # The calls of a dump in stock Psych: from 5.2 on, it requires stringio each time, and Ruby looks for a stringio.rb.
  def psych = measure_cost { { number: 1 }.to_yaml }.syscalls

  # The block runs in a fork, where a store opens its file again, once. The calls of a dump come after the stat.
  def assert_calls(calls, store = @store, dump: [], &block)
    store.transaction {} # an earlier fork may have changed it
    bill = measure_cost do
      store.transaction {}
      block.call
    end
    expected = (UNCHANGED + calls).flat_map { |call| call == "stat" ? [call, *dump] : call }
    assert_equal %w[open fstat] + expected, without_mount_calls(bill)
    assert_empty bill.exceptions
  end

  # Removes the calls between open and flock, which identify the mount; the result may be cached.
  def without_mount_calls(bill)
    calls = bill.syscalls - ["ioctl"] # File.new's check for a terminal
    calls.first(2) + calls.drop(calls.index("flock"))
  end

  def unique_mounts? = (Etc.uname[:release].split(".").map(&:to_i) <=> [6, 8]) >= 0

  def filled(store)
    store.transaction do
      store[:number] = 1
      store[:text] = "text"
    end
    store
  end
end
