# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/store"

# Counts the system calls of the *Cost* lines of Frugal::Store with the engine :file.
class StoreCostTest < Frugal::TestCase
  UNCHANGED = %w[flock stat flock].freeze
  CHANGED = %w[flock stat pwrite fstat flock].freeze
  RECORDED = %w[flock stat fstat pwrite fdatasync pwrite pwrite fstat pwrite flock].freeze

  def setup
    skip "the costs are those of the C engine" unless Frugal::Native.engine_name == :c
    skip_where_times_are_not_trusted
  end

  def test_reading_is_one_stat
    %i[fast atomic durable].product(%i[marshal json]).each do |durability, serializer|
      store = filled(durability: durability, serializer: serializer)
      [-> { store["number"] }, -> { store.fetch("number") }, -> { store.key?("none") },
       -> { store.keys(prefix: "n") }, -> { store.each {} },
       -> { store.transaction(true) { store["number"]; store["text"] } }].each do |call|
        assert_cost(syscalls: %w[stat], exceptions: 0, &call)
      end
    end
  end

  def test_the_first_read
    filled
    # The first call checks the directory, the last one looks for a journal.
    calls = %w[stat open fstat flock stat pread flock lstat stat]
    bill = measure_cost { Frugal::Store.new(path("store")).tap { |store| store["number"] } }
    assert_equal calls, without_mount_calls(bill, 3)
  end

  def test_transactions_that_change_nothing
    %i[fast atomic durable].each do |durability|
      store = filled(durability: durability)
      assert_calls(UNCHANGED, store) { store["number"] = 1 }
      assert_calls(UNCHANGED, store) { store.update("text") { |text| text } }
      assert_calls(UNCHANGED, store) { store.transaction { store["number"] = 2; store.abort } }
    end
  end

  def test_fast
    store = filled
    assert_calls(CHANGED, store) { store["number"] = 2 }
    assert_calls(CHANGED, store) do
      store.transaction { store["number"] = 3; store.delete("text"); store["more"] = "more text" }
    end
  end

  def test_atomic_does_not_sync
    calls = %w[flock stat lstat open flock write fstat fchmod rename fstat close flock]
    assert_calls(calls, store = filled(durability: :atomic)) { store["number"] = 2 }
  end

  def test_durable_syncs_once
    store = filled(durability: :durable)
    assert_calls(RECORDED, store) { store["number"] = 2 }
    assert_calls(RECORDED * 3, store) { 3.times { |number| store["number"] = number + 7 } }
    assert_calls(RECORDED, store) { store["more"] = "x" * 500 }
  end

  private

  def filled(**options)
    store = Frugal::Store.new(path(["store", *options.values].join("-")), **options)
    store.transaction { store["number"] = 1; store["text"] = "some text" }
    store
  end

  # The block runs in a fork, where a store opens its file again, once.
  def assert_calls(calls, store, &block)
    store.transaction {}
    bill = measure_cost do
      store.transaction {}
      block.call
    end
    assert_equal %w[open fstat] + UNCHANGED + calls, without_mount_calls(bill, 2)
    assert_empty bill.exceptions
  end

  # Removes the calls between open and flock, which identify the mount; the result may be cached.
  def without_mount_calls(bill, before)
    calls = bill.syscalls - ["ioctl"] # File.new's check for a terminal
    calls.first(before) + calls.drop(calls.index("flock"))
  end
end
