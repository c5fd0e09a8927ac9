# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/stores"
require "frugal/store"

# Which keys a Frugal::Store can have, and searches by prefix.
class StoreKeysTest < Frugal::TestCase
  include Stores

  Point = Struct.new(:x, :y)

  def test_keys_of_any_type
    keys = ["text", "\u00e9", "\xFF".b, :symbol, 1, 2**70, 1.5, nil, true, [1, "a", [:b]], { 1 => 2 }, 1..2,
            Point.new(1, 2), 3r, String]
    marshal_kinds.each do |kind|
      store = open_store(kind)
      store.transaction { keys.each_with_index { |key, index| store[key] = index } }
      again = open_store(kind)
      assert_equal keys, again.keys, kind.inspect
      keys.each_with_index { |key, index| assert_equal index, again[Marshal.load(Marshal.dump(key))], key.inspect }
      assert_equal [:symbol], again.keys(prefix: :sym)
      assert_equal ["text"], again.keys(prefix: "t")
    end
  end

  def test_prefixes_of_bytes
    (marshal_kinds | (HERE & %i[messagepack sqlite_messagepack redis_messagepack])).each do |kind|
      store = open_store(kind)
      bytes = "user:\xFF".b
      store.transaction { ["user:1", bytes, "user", "\xFF".b].each { |key| store[key] = 1 } }
      assert_equal ["user:1", bytes], store.keys(prefix: "user:"), kind.inspect
      assert_equal store.keys, store.keys(prefix: ""), kind.inspect
      assert_equal [bytes], store.keys(prefix: bytes), kind.inspect
    end
  end

  def test_keys_that_json_does_not_support
    (HERE & %i[json sqlite_json redis_json]).each do |kind|
      store = open_store(kind)
      ["\xFF", "\xFF".b, "\u00e9".encode("ISO-8859-1"), :a, nil].each do |key|
        assert_raises(Frugal::UsageError, key.inspect) { store[key] = 1 }
      end
      assert_empty store.keys
    end
  end
end
