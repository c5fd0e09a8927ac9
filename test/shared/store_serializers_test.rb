# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/stores"
require "frugal/store"

# What is particular to each serializer of Frugal::Store.
class StoreSerializersTest < Frugal::TestCase
  include Stores

  def test_json_is_readable_and_refuses_data_that_it_would_change
    store = Frugal::Store.new(path("a.json"), serializer: :json)
    store.transaction { store["b"] = [1, "x"]; store["a"] = { "k" => nil } }
    assert_equal "{\n\"b\": [1,\"x\"],\n\"a\": {\"k\":null}\n}\n", File.read(store.path)
    [:key, 1, nil].each do |key|
      assert_match(/Strings as keys/, assert_raises(Frugal::UsageError) { store[key] = 1 }.message)
    end
    [:symbol, { 1 => 2 }, Float::NAN, "\xFF", "\xFF".b, Time.now, 1r, Class.new(Array).new, Hash.new(1)].each do |value|
      assert_match(/json cannot store/, assert_raises(TypeError, value.inspect) { store["c"] = value }.message)
    end
    cycle = []
    cycle << cycle
    assert_raises(TypeError) { store["c"] = cycle }
    assert_equal %w[b a], store.keys
  end

  def test_canonical
    kinds = [:marshal, :json, *(StoreGems::AVAILABLE & [:messagepack])]
    kinds.each do |serializer|
      texts = [%w[a b], %w[b a]].map.with_index do |keys, index|
        store = Frugal::Store.new(path("#{serializer}#{index}"), canonical: true, serializer: serializer)
        store.transaction { keys.each { |key| store[key] = keys.to_h { |one| [one, 1] } } }
        File.binread(store.path)
      end
      assert_equal(*texts)
    end
  end

  def test_messagepack_with_data_behind_its_end
    needs(:messagepack)
    write("padded", "\x81\xA1a\x01\xC0\xC0".b) # a kill can leave such a file
    assert_equal 1, Frugal::Store.new(path("padded"), serializer: :messagepack)["a"]
    write("joined", "\x81\xA1a\x01\x81\xA1b\x02".b)
    assert_raises(Frugal::CorruptStore) { Frugal::Store.new(path("joined"), serializer: :messagepack)["a"] }
  end

  def test_marshal_errors_that_loading_alone_finds
    { "too big" => "\x04\b{\xF0:\x06a0", "frozen" => "\x04\b{\x06:\x06aIf\x061\x06:\a@b0" }.each do |name, bytes|
      write(name, bytes.b)
      refused = begin
        Marshal.load(bytes.b) && false # some Rubies load it
      rescue RuntimeError
        true
      end
      assert_raises(Frugal::CorruptStore, name) { Frugal::Store.new(path(name))[:a] } if refused
    end
  end

  def test_classes_that_are_not_loaded
    write("a", "\x04\b{\x06:\x06ao:\x1BFrugalTestMissingClass\x00".b)
    error = assert_raises(Frugal::UsageError) { Frugal::Store.new(path("a"))[:a] }
    assert_match(/FrugalTestMissingClass.*require/, error.message)
  end
end
