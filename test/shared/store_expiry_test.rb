# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/stores"
require "frugal/store"
require "pstore"

# Roots of Frugal::Store that expire: the same rules with each engine.
class StoreExpiryTest < Frugal::TestCase
  include Stores

  HERE.each do |kind|
    define_method("test_an_expired_root_is_absent_#{kind}") do
      store = open_store(kind)
      %w[a:1 a:2 b].each { |key| store.write(key, [key], expires_in: 60) }
      assert_equal %w[a:1 a:2 b], store.keys
      expire(store, "a:1")
      [store, open_store(kind)].each do |one|
        assert_equal [nil, false, nil, 5], [one["a:1"], one.key?("a:1"), one.ttl("a:1"), one.fetch("a:1", 5)]
        assert_equal [%w[a:2 b], %w[a:2]], [one.keys, one.keys(prefix: "a:")]
        assert_equal({ "a:2" => ["a:2"], "b" => ["b"] }, one.each.to_h)
        assert_equal [nil, ["b"]], one.values_at("a:1", "b")
        assert_raises(KeyError) { one.fetch("a:1") }
      end
      assert_nil store.delete("a:1")
      refute store.expire("a:1", 60)
    end

    define_method("test_what_removes_a_deadline_#{kind}") do
      store = open_store(kind)
      { "set" => -> { store["a"] = [2] }, "write" => -> { store.write("a", [2]) }, "expire" => -> { store.expire("a", nil) },
        "transaction" => -> { store.transaction { store["a"]; store["a"] = [1] } } }.each do |name, call|
        store.write("a", [1], expires_in: 60)
        assert_includes 1..61, store.ttl("a"), name
        call.call
        assert_nil store.ttl("a"), name
        assert store.key?("a"), name
        assert_nil open_store(kind).ttl("a"), name
      end
    end

    define_method("test_what_keeps_a_deadline_#{kind}") do
      store = open_store(kind)
      store.write("a", [1], expires_in: 60)
      assert_equal [1, 2], store.update("a") { |list| list + [2] }
      store.transaction { store["a"] << 3 }
      store.transaction { store["a"] << 4; store.abort }
      assert_equal [1, 2, 3], store["a"]
      assert_includes 1..60, store.ttl("a")
      expire(store, "a")
      assert_nil store["a"]
    end

    define_method("test_a_deadline_is_replaced_#{kind}") do
      store = open_store(kind)
      store.write("a", 1, expires_in: 60)
      store.write("a", 1, expires_in: 3600)
      assert_includes 61..3600, store.ttl("a")
      assert store.expire("a", 7200r)
      assert_includes 3601..7200, open_store(kind).ttl("a")
      store["b"] = 1
      assert store.expire("b", 100.5)
      assert_includes 1..100.5, store.ttl("b")
      assert_nil store.ttl("none")
    end

    define_method("test_an_expired_root_that_is_written_is_a_new_one_#{kind}") do
      store = open_store(kind)
      %w[a b c d].each { |key| store.write(key, 1, expires_in: 60) }
      %w[a b].each { |key| expire(store, key) }
      assert_equal 1, store.update("a") { |value| value.to_i + 1 }
      store["b"] = 2
      [store, open_store(kind)].each do |one|
        assert_equal %w[c d a b], one.keys
        assert_equal [nil, nil], [one.ttl("a"), one.ttl("b")]
      end
    end

    define_method("test_deadlines_in_a_transaction_#{kind}") do
      store = open_store(kind)
      store.transaction do
        store.write("a", 1, expires_in: 60)
        assert_includes 1..61, store.ttl("a")
        store["b"] = 1
        assert store.expire("b", 60)
        store.write("c", 1, expires_in: 60)
        store.delete("c")
        refute store.expire("c", 60)
        store.write("d", 1, expires_in: 60)
        store["d"] = 2
      end
      assert_equal %w[a b d], store.keys
      assert_equal [true, true, false], %w[a b d].map { |key| !store.ttl(key).nil? }
      assert_raises(ZeroDivisionError) { store.transaction { store.write("a", 1, expires_in: 1); store["a"] = 1 / 0 } }
      store.transaction { store.expire("a", nil); store.delete("b"); store.abort }
      assert_equal [true, true, false], %w[a b d].map { |key| !store.ttl(key).nil? }
    end

    define_method("test_expired_roots_are_removed_in_small_steps_#{kind}") do
      store = open_store(kind)
      keys = Array.new(24) { |number| "old#{number}" }
      store.transaction { keys.each { |key| store.write(key, 1, expires_in: 60) } }
      store["kept"] = 1
      store.transaction { keys.each { |key| store.expire(key, 0.001) } }
      sleep 0.005
      store.each {}
      store.transaction {}
      assert_equal 25, stored(kind, store), "nothing is removed where nothing is written"
      [15, 5, 1].each_with_index do |left, number|
        store["kept"] = number
        assert_equal left, stored(kind, store)
      end
      assert_equal %w[kept], store.keys
    end

    define_method("test_misuse_#{kind}") do
      store = open_store(kind)
      store["a"] = 1
      [0, -1, "1", Float::NAN, Float::INFINITY, :a, 1e30].each do |seconds|
        [-> { store.write("a", 2, expires_in: seconds) }, -> { store.expire("a", seconds) }].each do |call|
          assert_match(/\Aexpires_in: must be/, assert_raises(Frugal::UsageError, seconds.inspect, &call).message)
        end
      end
      [-> { store.write("a", 2, expires_in: 1) }, -> { store.expire("a", 1) }].each do |call|
        assert_raises(Frugal::UsageError) { store.transaction(true) { call.call } }
      end
      [-> { store["frugal:expiry"] = 1 }, -> { store.delete("frugal:expiry") }].each do |call|
        assert_match(/deadlines/, assert_raises(Frugal::UsageError, &call).message)
      end
      assert_equal [1, nil], [store["a"], store.ttl("a")]
    end
  end

  # A store of files forgets that it ever had deadlines.
  def test_bytes_without_deadlines
    (file_kinds - sqlite_kinds).each do |kind|
      store = open_store(kind)
      store["a"] = [1, "x"]
      bytes = File.binread(store.path)
      store.write("b", 1, expires_in: 60)
      refute_equal bytes, File.binread(store.path)
      store.delete("b")
      assert_equal bytes, File.binread(store.path).sub(/\n+\z/, "\n"), kind.inspect
    end
  end

  def test_an_sqlite_file_gets_its_column_with_the_first_deadline
    sqlite_kinds.each do |kind|
      one = open_store(kind)
      two = open_store(kind)
      one["a"] = 1
      assert_equal [1, 1], [two["a"], two.update("a") { |value| value }]
      schema = schema_of(one.path)
      refute_match(/expires/, schema)
      one.transaction { one.write("b", 1, expires_in: 60); one.abort }
      assert_raises(TypeError) { one.transaction { one.write("b", 1, expires_in: 60); one["c"] = proc {} } }
      assert_equal schema, schema_of(one.path)
      one.write("b", 1, expires_in: 60)
      assert_match(/expires/, schema_of(one.path))
      assert_equal [1, %w[a b]], [two["a"], two.keys]
      assert_includes 1..60, two.ttl("b")
      expire(one, "b")
      assert_equal [nil, %w[a]], [two["b"], two.keys]
      two["b"] = 1
      assert_equal [1, %w[a b]], [one["b"], one.keys]
    end
  end

  def test_pstore_reads_a_store_with_deadlines
    store = open_store(:file)
    stock = PStore.new(store.path)
    keys = ["a", "\u00e9", :symbol, 1, [1, "x"], nil, "\xFF".b]
    keys.each { |key| store.write(key, "v", expires_in: 60) }
    assert_equal keys, store.keys
    assert(keys.all? { |key| store.ttl(key) })
    stock.transaction(true) do
      assert_equal keys, stock.roots - ["frugal:expiry"]
      assert_equal "v", stock["a"]
      assert(stock["frugal:expiry"].each_value.all?(Integer))
    end
    stock.transaction { stock["frugal:expiry"].transform_values! { |deadline| deadline - 61_000 } } # as a jump of the clock
    assert_empty store.keys
    stock.transaction { stock["frugal:expiry"] = 1 }
    assert_raises(Frugal::CorruptStore) { store["a"] }
  end

  # The file and the C engine's index of it agree after each change.
  def test_random_changes
    file_kinds.first(5).each do |kind|
      random = Random.new(1)
      store = open_store(kind)
      mirror = {}
      300.times do
        key = "k#{random.rand(12)}"
        case random.rand(6)
        when 0 then (store[key] = mirror[key] = [key * random.rand(4), random.rand(9)])
        when 1 then store.write(key, mirror[key] = "w", expires_in: 3600)
        when 2 then assert_equal mirror[key].inspect, store.delete(key).tap { mirror.delete(key) }.inspect
        when 3 then store.update(key) { |value| mirror[key] = [value.to_s[0, 30]] }
        when 4 then mirror.delete(key) if store.expire(key, 0.001) && sleep(0.003)
        else store.transaction { store["x"] = 1; store.write(key, 2, expires_in: 9); store.abort }
        end
        assert_equal mirror, store.each.to_h
      end
      assert_equal mirror, open_store(kind).each.to_h
    end
  end

  private

  def expire(store, key)
    assert store.expire(key, 0.001)
    sleep 0.005
  end

  def sqlite_kinds = file_kinds.select { |kind| KINDS[kind][:engine] == :sqlite }

  def schema_of(path)
    SQLite3::Database.new(path) { |database| return database.execute("SELECT sql FROM sqlite_master").join("\n") }
  end

  # @return [Integer] the roots that are stored, expired or not
  def stored(kind, store)
    return RedisServer.shared.ask("ZCARD", "frugal:{#{store.path}}:index").delete_prefix(":").to_i if redis?(kind)

    SQLite3::Database.new(store.path) { |database| return database.get_first_value("SELECT count(*) FROM roots") } if sqlite_kinds.include?(kind)

    (Frugal::Store::Serializer.of(serializer(kind), false).load(File.binread(store.path)).keys - ["frugal:expiry"]).size
  end
end
