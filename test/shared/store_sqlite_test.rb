# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/stores"
require "frugal/store"

# What is particular to the engine :sqlite of Frugal::Store.
class StoreSQLiteTest < Frugal::TestCase
  include Stores

  Point = Struct.new(:x, :y)

  def test_files_that_are_not_stores
    needs(:sqlite)
    store = Frugal::Store.new(path("a.db"), engine: :sqlite)
    store.transaction { 300.times { |number| store[number] = "x" * 300 } }
    store.close
    bytes = File.binread(store.path)
    write("text", "no database at all" * 100)
    write("cut", bytes[0, bytes.size / 2])
    write("wrong", bytes[0, 4096] + Random.new(1).bytes(bytes.size - 4096))
    %w[text cut wrong].each do |name|
      assert_raises(Frugal::CorruptStore, name) { Frugal::Store.new(path(name), engine: :sqlite).each {} }
    end
    SQLite3::Database.new(path("other")) { |database| database.execute("CREATE TABLE t (a)") }
    other = assert_raises(Frugal::CorruptStore) { Frugal::Store.new(path("other"), engine: :sqlite)[1] = 2 }
    assert_match(/not a store of frugal/, other.message)
    json = assert_raises(Frugal::UsageError) { Frugal::Store.new(store.path, engine: :sqlite, serializer: :json)["a"] }
    assert_match(/store of marshal, not of json/, json.message)
    assert_raises(Errno::EISDIR) { Frugal::Store.new(tree, engine: :sqlite)[1] }
    [{}, { serializer: :json }].each do |options|
      assert_raises(Frugal::CorruptStore) { Frugal::Store.new(store.path, **options)["a"] }
    end
  end

  def test_a_file_that_is_replaced_or_removed
    needs(:sqlite)
    store, other = %w[a.db b.db].map { |name| Frugal::Store.new(path(name), engine: :sqlite) }
    store[1] = "old"
    other[1] = "new"
    other.close
    File.rename(other.path, store.path)
    %w[-wal -shm].each { |name| File.unlink("#{store.path}#{name}") }
    assert_equal "new", store[1]
    File.unlink(store.path)
    assert_nil store[1]
    store[2] = 1
    assert_equal [2], store.keys
  end

  # An interrupt at any call leaves a connection on which the next transaction works.
  def test_a_transaction_that_is_interrupted
    needs(:sqlite)
    skip "the methods of the gem are not C methods" if RUBY_ENGINE == "jruby"
    store, other = Array.new(2) { open_store(:sqlite) }
    store[1] = 0
    interrupted = (1..30).count do |call|
      calls = 0
      trace = TracePoint.new(:c_return) do |point|
        raise IOError if SQLite3::Statement === point.self && (calls += 1) == call
      end
      hit = begin
        trace.enable { store.update(1) { |value| value + 1 } }
        false
      rescue IOError
        true
      end
      value = other[1]
      assert_equal value + 1, store.update(1) { |one| one + 1 }
      assert_equal [value + 1, value + 1], [store[1], other[1]]
      hit
    end
    assert_operator interrupted, :>, 8
  end
end
