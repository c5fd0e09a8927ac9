# frozen_string_literal: true

require_relative "../test_helper"
require "etc"
require "yaml/store"
require "frugal/pstore"

# What a transaction may ask the kernel under the PStore drop-in: its Cost lines, to
# the call. Stock: 7, 10, 13 and 19 with ultra_safe (0.3.0).
class PStoreCostTest < Frugal::TestCase
  UNCHANGED = %w[flock stat flock].freeze
  CHANGED = %w[flock stat pwrite fstat flock].freeze

  def setup
    skip "the calls are the C engine's" unless Frugal::Native.engine_name == :c
    skip_where_times_are_not_trusted
    @store = filled(PStore.new(path("a.store")))
  end

  def test_read_only
    assert_cost(syscalls: %w[stat], exceptions: 0) { @store.transaction(true) { @store[:number] } }
    assert_cost(syscalls: %w[stat], exceptions: 0) { @store.transaction(true) {} }
  end

  def test_read_only_where_nothing_is
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

  def test_smaller
    assert_calls(%w[flock stat pwrite ftruncate fstat flock]) { @store.transaction { @store[:text] = "" } }
  end

  def test_room_is_had_before_the_first_byte_is_overwritten
    assert_calls(%w[flock stat fallocate pwrite fstat flock]) { @store.transaction { @store[:text] = "x" * 5000 } }
  end

  def test_a_stores_first_transactions
    calls = %w[open fstat flock stat pread flock]
    [true, false].each do |read_only|
      store = PStore.new(@store.path)
      assert_equal calls, without_questions(measure_cost { store.transaction(read_only) {} })
    end
  end

  def test_the_file_system_of_a_known_mount_is_one_question
    skip "before Linux 6.8, the number of a mount may be another's later" unless unique_mounts?
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

  # What a dump costs in stock Psych: from 5.2 on, it requires stringio each time, and Ruby looks for a stringio.rb.
  def psych = measure_cost { { number: 1 }.to_yaml }.syscalls

  # The block is run in a fork, where a store opens its file again, once. The calls of a dump come after the stat.
  def assert_calls(calls, store = @store, dump: [], &block)
    store.transaction {} # an earlier fork may have changed it
    bill = measure_cost do
      store.transaction {}
      block.call
    end
    expected = (UNCHANGED + calls).flat_map { |call| call == "stat" ? [call, *dump] : call }
    assert_equal %w[open fstat] + expected, without_questions(bill)
    assert_empty bill.exceptions
  end

  # What is asked once it is open is about its file system, and may be known.
  def without_questions(bill)
    calls = bill.syscalls - ["ioctl"] # by which File.new asks for a terminal
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
