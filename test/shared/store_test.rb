# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/stores"
require "frugal/store"
require "timeout"

# The API of Frugal::Store, the same with each engine and each serializer.
class StoreTest < Frugal::TestCase
  include Stores

  def test_all_gems_are_installed
    %i[sqlite messagepack redis].each { |name| needs(name) }
    assert_equal KINDS.keys, HERE
  end

  HERE.each do |kind|
    define_method("test_outside_a_transaction_#{kind}") do
      store = open_store(kind)
      assert_nil store["a"]
      refute store.key?("a")
      assert_empty store.keys
      assert_equal 1, (store["a"] = 1)
      assert_equal [1, true, ["a"]], [store["a"], store.root?("a"), store.roots]
      assert_equal 2, store.update("a") { |value| value + 1 }
      assert_equal [2, 5, 6], [store.fetch("a"), store.fetch("b", 5), store.fetch("b") { 6 }]
      error = assert_raises(KeyError) { store.fetch("b") }
      assert_equal "b", error.key
      assert_equal 2, store.delete("a")
      assert_nil store.delete("a")
      assert_empty store.keys
    end

    define_method("test_values_come_back_#{kind}") do
      values = { "text" => "a\u00e9", "list" => [1, nil, true, 2.5, ["x"]], "map" => { "k" => { "l" => [] } },
                 "big" => 2**62, "no" => nil, "off" => false }
      store = open_store(kind)
      store.transaction { values.each { |key, value| store[key] = value } }
      again = open_store(kind)
      assert_equal values, again.each.to_h
      assert_equal values.keys, again.keys
      assert again.key?("no")
    end

    define_method("test_a_transaction_is_all_or_nothing_#{kind}") do
      store = open_store(kind)
      store["a"] = [1]
      assert_raises(ZeroDivisionError) { store.transaction { store["a"] = 2; 1 / 0 } }
      assert_nil store.transaction { store["a"] = 3; store.abort }
      store.transaction { store["a"] = 4; break }
      assert_equal [1], store["a"]
      assert_nil store.transaction { store["a"] = 5; store.commit; flunk }
      assert_equal 5, store["a"]
      assert_equal :value, store.transaction { :value }
    end

    define_method("test_objects_changed_in_place_are_saved_#{kind}") do
      store = open_store(kind)
      store["a"] = { "list" => [1] }
      store.transaction do
        assert_same store["a"], store["a"]
        store["a"]["list"] << 2
      end
      store["a"]["list"] << 3 # changes a copy only
      store.transaction(true) { store["a"]["list"] << 4 }
      assert_equal({ "list" => [1, 2] }, store["a"])
    end

    define_method("test_within_a_transaction_#{kind}") do
      store = open_store(kind)
      %w[a b c].each { |key| store[key] = key.ord }
      store.transaction do
        store.delete("b")
        store["d"] = 1
        refute store.key?("b")
        assert_nil store["b"]
        assert_equal %w[a c d], store.keys
        store["b"] = 2
        assert_equal %w[a c d b], store.keys
        assert_equal 3, store.update("d") { |value| value + 2 }
      end
      assert_equal({ "a" => 97, "c" => 99, "d" => 3, "b" => 2 }, open_store(kind).each.to_h)
    end

    define_method("test_prefixes_#{kind}") do
      store = open_store(kind)
      keys = ["user:1", "page", "user:2", "userx", "user:\u00e9", "user"]
      store.transaction { keys.each { |key| store[key] = key.size } }
      assert_equal ["user:1", "user:2", "user:\u00e9"], store.keys(prefix: "user:")
      assert_equal [["user:\u00e9", 6]], store.each(prefix: "user:\u00e9").to_a
      assert_equal store.keys, store.keys(prefix: "")
      assert_empty store.keys(prefix: "nobody")
      store.transaction do
        store.delete("user:1")
        store["user:3"] = 3
        assert_equal ["user:2", "user:\u00e9", "user:3"], store.keys(prefix: "user:")
      end
      assert_raises(Frugal::UsageError) { store.keys(prefix: 1) }
    end

    # Each step runs in a fiber of its own. No transaction stays open between two of them.
    define_method("test_steps_of_each_#{kind}") do
      store = open_store(kind)
      store.transaction { %w[a b c].each { |key| store[key] = key.ord } }
      steps = store.each
      assert_equal ["a", 97], steps.next
      store["d"] = 1
      open_store(kind).delete("b")
      assert_equal [["b", 98], ["c", 99]], [steps.next, steps.next]
      assert_same store, assert_raises(StopIteration) { steps.next }.result
      assert_equal [[1, ["a", 97]], [2, ["c", 99]], [3, ["d", 1]]], [1, 2, 3].zip(store.each)
      later = store.transaction do
        store["e"] = 2
        assert_equal ["e", 2], store.each(prefix: "e").next
        store.each
      end
      assert_equal ["a", 97], later.next
      store.delete("e")
      assert_equal %w[a c d], store.keys
    end

    # Its thread would wait for itself.
    define_method("test_a_transaction_of_another_fiber_#{kind}") do
      store = open_store(kind)
      fiber = Fiber.new { store.transaction { Fiber.yield store["a"] = 1 } }
      fiber.resume
      [-> { store["b"] = 1 }, -> { store.keys }, -> { store.each.next }].each do |call|
        assert_match(/nested transaction/, assert_raises(Frugal::UsageError, &call).message)
      end
      assert_match(/is in a transaction/, assert_raises(Frugal::UsageError) { store.close }.message)
      fiber.resume
      early = store.each
      assert_match(/nested/, assert_raises(Frugal::UsageError) { store.transaction { early.next } }.message)
      assert_equal [["a", 1]], store.each.to_a
    end

    # What was written can be read: the roots are one level deeper in the table.
    define_method("test_depth_#{kind}") do
      store = open_store(kind)
      (97..102).each do |depth|
        data = (1...depth).inject([]) { |nest, _| [nest] }
        store["deep"] = data
        assert_equal data, open_store(kind)["deep"]
      rescue TypeError => e
        assert_operator depth, :>, 99, e.message
        assert_match(/more than 100 deep/, e.message)
      end
    end

    define_method("test_misuse_#{kind}") do
      store = open_store(kind)
      store["a"] = 1
      nested = assert_raises(Frugal::UsageError) { store.transaction { store["a"] = 2; store.transaction {} } }
      assert_match(/nested transaction/, nested.message)
      read_only = assert_raises(Frugal::UsageError) { store.transaction(true) { store["a"] = 2 } }
      assert_match(/read-only/, read_only.message)
      [-> { store.delete("a") }, -> { store.update("a") { 2 } }].each do |call|
        assert_raises(Frugal::UsageError) { store.each { call.call } }
      end
      [-> { store.commit }, -> { store.abort }].each do |call|
        assert_match(/not in a transaction/, assert_raises(Frugal::UsageError, &call).message)
      end
      assert_equal 1, store["a"]
    end

    define_method("test_an_object_that_cannot_be_dumped_changes_nothing_#{kind}") do
      store = open_store(kind)
      store["a"] = [1]
      [proc {}, $stderr, Class.new.new].each do |object|
        assert_raises(TypeError) { store.transaction { store["a"] << 2; store["b"] = [object] } }
      end
      assert_equal({ "a" => [1] }, store.each.to_h)
      store["b"] = 1
      assert_equal({ "a" => [1], "b" => 1 }, open_store(kind).each.to_h)
    end

    define_method("test_threads_#{kind}") do
      store = open_store(kind)
      threads = Array.new(4) do
        Thread.new { 10.times { store.update("count") { |count| Thread.pass; count.to_i + 1 } } }
      end
      threads.each(&:join)
      assert_equal 40, store["count"]
    end

    define_method("test_other_threads_wait_for_a_transaction_#{kind}") do
      store = open_store(kind)
      store["a"] = 1
      inside = Queue.new
      go = Queue.new
      writer = Thread.new { store.transaction { store["a"] = 2; inside << 1; go.pop } }
      inside.pop
      reader = Thread.new { store["a"] }
      go << 1
      assert_equal [1, 2], [writer.value, reader.value]
    end

    define_method("test_interrupts_#{kind}") do
      store = open_store(kind)
      store["a"] = 1
      assert_raises(Timeout::Error) { Timeout.timeout(0.02) { store.transaction { store["a"] = 2; sleep } } }
      assert_equal 1, store["a"]
      store["a"] = 3
      assert_equal 3, open_store(kind)["a"]
    end

    define_method("test_two_objects_#{kind}") do
      one = open_store(kind)
      two = open_store(kind)
      5.times do |count|
        one["a"] = count
        assert_equal count, two["a"]
        two["b"] = count
        assert_equal count, one["b"]
      end
      one.close
      assert_equal 4, one["a"]
    end

    define_method("test_a_reader_creates_nothing_#{kind}") do
      store = open_store(kind)
      assert_empty store.keys
      assert_nil store["a"]
      assert_empty Dir.children(tree)
      assert_equal "*0", RedisServer.shared.ask("KEYS", "frugal:{#{store.path}}*") if redis?(kind)
    end
  end

  # Lets the fibers of a thread wait for each other.
  class Scheduler
    def initialize = @ready = []
    def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)
    def block(*) = Fiber.yield || true
    def unblock(_, fiber) = @ready << fiber
    def kernel_sleep(*) = (@ready << Fiber.current) && Fiber.yield
    def io_wait(_io, events, _timeout) = events
    def close = (@ready.shift.resume until @ready.empty?)
  end

  def test_fibers_of_a_scheduler_wait_for_a_transaction
    skip "JRuby's Mutex does not let other fibers run" unless RUBY_ENGINE == "ruby"

    store = open_store(HERE.first)
    order = []
    Thread.new do
      Fiber.set_scheduler(Scheduler.new)
      Fiber.schedule { store.transaction { order << :begun; sleep; store["a"] = 1; order << :ended } }
      Fiber.schedule { order << store.update("a") { |value| value + 1 } }
    end.join
    assert_equal [:begun, :ended, 2], order
  end

  def test_invalid_options
    { engine: :mysql, durability: :slow, serializer: :yaml }.each do |option, value|
      error = assert_raises(Frugal::UsageError) { Frugal::Store.new(path("a"), option => value) }
      assert_match(/\A#{option}: must be .* \(got #{value.inspect}\)\z/, error.message)
    end
    missing = assert_raises(Frugal::UsageError) { Frugal::Store.new(path("missing/a")) }
    assert_match(/no directory/, missing.message)
  end
end
