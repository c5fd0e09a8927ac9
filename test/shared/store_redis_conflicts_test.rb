# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/redis_case"
require "frugal/store"

# Transactions of the engine :redis that overlap, and what they cost.
class StoreRedisConflictsTest < RedisCase
  def test_a_transaction_runs_again_if_what_it_read_has_changed
    store, other = Array.new(2) { open_store(:redis_json) }
    store["a"] = 1
    { -> { other["a"] = 10 } => 11, -> { other.delete("a") } => 1, -> { other.expire("a", 0.001) && sleep(0.005) } => 1,
      -> { other.update("a") { |value| [value] } } => nil }.each do |change, result|
      store["a"] = 1
      runs = 0
      call = lambda do
        store.update("a") { |value| (runs += 1) == 1 ? change.call : nil; Array === value ? nil : value.to_i + 1 }
      end
      call.call
      assert_equal [2, result], [runs, store["a"]]
    end
  end

  def test_what_does_not_conflict
    store, other = Array.new(2) { open_store(:redis_json) }
    store["a"] = 1
    runs = 0
    store.transaction do
      runs += 1
      store["b"] = store["a"] + 1
      other["c"] = 1
      other.write("d", 1, expires_in: 60)
      store["e"] = store["c"] # as it is now: nothing that was read before has changed
    end
    assert_equal [1, [1, 2, 1, 1, 1]], [runs, store.values_at(*%w[a b c d e])]
  end

  # The block never sees two roots of different times, not even in a run that is repeated.
  def test_reads_are_those_of_one_moment
    store, other = Array.new(2) { open_store(:redis_json) }
    [-> { store["b"] }, -> { store.values_at("b").first }, -> { store.each.to_h["b"] }, -> { store.keys && store["b"] },
     -> { store.fetch("b") }].product([true, false]) do |read, read_only|
      store.transaction { store["a"] = store["b"] = 1 }
      seen = []
      store.transaction(read_only) do
        a = store["a"]
        other.transaction { other["a"] = other["b"] = 2 } if seen.empty?
        seen << :began
        seen << [a, read.call]
      rescue StandardError => e
        seen << e # a block that rescues all errors
      end
      assert_equal [:began, :began, [2, 2]], seen
    end
  end

  def test_keys_that_were_listed
    store, other = Array.new(2) { open_store(:redis_json) }
    store.transaction { store["a"] = store["count"] = 0 }
    [[-> { other["b"] = 1 }, 2], [-> { other["b"] = 2 }, 1], [-> { other.delete("b") }, 2]].each do |change, expected|
      runs = 0
      store.transaction do
        runs += 1
        store["count"] = store.keys.size
        change.call if runs == 1
      end
      assert_equal expected, runs
      assert_equal store.keys.size, store["count"] if runs == 2
    end
  end

  def test_attempts_are_bounded
    store = open_store(:redis_json, attempts: 3)
    other = open_store(:redis_json)
    store["a"] = 0
    runs = 0
    error = assert_raises(Frugal::StoreConflict) do
      store.transaction { runs += 1; store["b"] = store["a"]; other.update("a") { |value| value + 1 } }
    end
    assert_match(/ran 3 times/, error.message)
    assert_equal [3, 3, nil], [runs, store["a"], store["b"]]
    store["b"] = store.update("a") { |value| value + 1 }
    assert_equal 4, store["b"]
  end

  def test_processes_lose_nothing
    skip "needs fork" unless Process.respond_to?(:fork)

    name = path("count")
    pids = Array.new(4) do |number|
      fork do
        store = open_store(:redis_json, name)
        40.times do
          store.transaction { store["all"] = store["all"].to_i + 1; store["p#{number}"] = store["p#{number}"].to_i + 1 }
        end
        exit!(0)
      end
    end
    assert(pids.all? { |pid| Process.wait2(pid).last.success? })
    assert_equal [160, 40, 40, 40, 40], open_store(:redis_json, name).values_at("all", *Array.new(4) { |i| "p#{i}" })
  end

  def test_round_trips
    config = RedisClient.config(url: RedisServer.shared.url, timeout: 10, middlewares: [Trips])
    store = open_store(:redis_json, redis: config)
    other = open_store(:redis_json)
    store.transaction { %w[a b c].each { |key| store[key] = 1 } } # which loads the script
    store.keys
    check = -> { store.transaction(true) { store["a"]; other["c"] = 1; store["b"] } }
    check.call
    { 1 => [-> { store["a"] }, -> { store.key?("a") }, -> { store.fetch("a") }, -> { store["a"] = 2 }, -> { store.keys },
            -> { store.values_at("a", "b", "c") }, -> { store.each {} }, -> { store.keys(prefix: "a") },
            -> { store.write("a", 1, expires_in: 9) }, -> { store.transaction { store["a"] = 3; store["b"] = 4 } },
            -> { store.transaction(true) { store.values_at("a", "b"); store["a"] } },
            -> { store.update("a") { |value| value } }, -> { store.delete("none") }, -> { store.ttl("none") }],
      2 => [-> { store.update("a") { |value| value + 1 } }, -> { store.delete("c") }, -> { store.expire("b", 9) },
            -> { store.ttl("b") }, -> { store.transaction { store.values_at("a", "b"); store["a"] = 7; store["b"] = 8 } },
            -> { store.transaction(true) { store["a"]; store["b"] } }],
      0 => [-> { store.transaction {} }, -> { store.transaction { store["a"] = 1; store.abort } }] }.each do |expected, calls|
      calls.each { |call| assert_equal expected, trips(&call), call.source_location.inspect }
    end
    assert_equal 3, trips(&check), "a read-only transaction while another store writes"
    assert_equal 2, trips { assert_raises(KeyError) { store.transaction { store["a"]; store.fetch("none") } } }
  end

  # A listing of several pages is that of one moment, too: exactly one root is on its way through the keys.
  def test_long_listings
    config = RedisClient.config(url: RedisServer.shared.url, timeout: 10, middlewares: [Trips])
    store = open_store(:redis_json, redis: config)
    keys = Array.new(12_001) { |number| "k#{number * 7919 % 12_001}" }
    keys.each_slice(4000) { |slice| store.transaction { slice.each { |key| store[key] = 1 } } }
    store.keys
    assert_equal 3, trips { assert_equal keys, store.keys }
    assert_equal 3, trips { assert_equal keys, store.each.to_h.keys }
    assert_equal 1, trips { assert_equal keys.grep(/\Ak77/), store.keys(prefix: "k77") }
    other = open_store(:redis_json)
    other["k-0"] = 0
    stop = false
    writer = Thread.new do
      (1..).each do |number|
        break number if stop

        other.transaction { other.delete("k#{(number - 1) % 10}-"); other.delete("k-0"); other["k#{number % 10}-"] = number }
      end
    end
    5.times { assert_equal [1, 12_002], [store.keys, store.keys.grep(/-/)].then { |all, moving| [moving.size, all.size] } }
    3.times { assert_equal 1, store.each.count { |key, _| key.include?("-") } }
    stop = true
    assert_operator writer.value, :>, 10
  ensure
    stop = true
    writer&.join
  end

  # A version that a transaction has read is not used again after the server has lost its data.
  def test_a_server_that_lost_its_data
    server = start_server
    store, other = Array.new(2) { open_at(server) }
    store["a"] = 1
    runs = 0
    store.update("a") do |value|
      runs += 1
      if runs == 1
        client(server).call("FLUSHALL")
        other["a"] = 5
      end
      value + 1
    end
    assert_equal [2, 6], [runs, store["a"]]
  end

  def test_an_interrupt_at_any_moment
    skip "only MRI lets a TracePoint raise" unless RUBY_ENGINE == "ruby"

    store, other = Array.new(2) { open_store(:redis_json) }
    store["a"] = 0
    interrupted = (1..40).count do |call|
      calls = 0
      trace = TracePoint.new(:call, :return) do |point|
        raise IOError, "interrupt" if RedisClient::RubyConnection === point.self && (calls += 1) == call
      end
      before = other["a"]
      hit = begin
        trace.enable { store.update("a") { |value| value + 1 } }
        false
      rescue IOError
        true
      end
      value = other["a"]
      assert_includes hit ? [before, before + 1] : [before + 1], value
      assert_equal value + 1, store.update("a") { |one| one + 1 }
      hit
    end
    assert_operator interrupted, :>, 8
  end
end
