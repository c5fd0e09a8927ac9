# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/stores"
require "frugal/store"
require "pstore"

# The files of Frugal::Store: shared with PStore, damaged, with unusual names, or not regular files.
class StoreFilesTest < Frugal::TestCase
  include Stores

  Point = Struct.new(:x, :y)

  def test_pstore_and_store_read_each_other
    %i[fast atomic durable].each do |durability|
      store = Frugal::Store.new(path("shared.store"), durability: durability)
      stock = PStore.new(store.path)
      store[:a] = { list: [1, "x"], point: Point.new(1, 2) }
      assert_equal store[:a], stock.transaction(true) { stock[:a] }
      stock.transaction { stock[:b] = durability }
      assert_equal durability, store[:b]
      store.delete(:b)
      assert_equal [:a], stock.transaction(true) { stock.roots }
    end
  end

  def test_files_that_are_not_stores
    { "text" => "hello", "marshal of a list" => Marshal.dump([1]),
      "cut off" => Marshal.dump({ a: "x" * 50 })[0, 30] }.each do |name, bytes|
      write(name, bytes)
      [->(store) { store[:a] }, ->(store) { store[:a] = 1 }].each do |call|
        error = assert_raises(Frugal::CorruptStore, name) { call.call(Frugal::Store.new(path(name))) }
        assert_includes error.message, path(name)
      end
      assert_equal bytes, File.binread(path(name))
    end
  end

  def test_a_truncated_file_is_never_loaded_as_other_data
    table = { "a" => 1, "list" => [1, 2.5, nil], "text" => "\u00e9" * 20, "map" => { "k" => { "l" => "m" } } }
    (%i[marshal json] + (AVAILABLE & %i[messagepack])).each do |serializer|
      store = Frugal::Store.new(path("whole.#{serializer}"), serializer: serializer)
      store.transaction { table.each { |key, value| store[key] = value } }
      bytes = File.binread(store.path)
      (1...bytes.bytesize).each do |size|
        write("cut", bytes[0, size])
        found = begin
          Frugal::Store.new(path("cut"), serializer: serializer).each.to_h
        rescue Frugal::CorruptStore
          next
        end
        # Only the last line break of JSON can be missing.
        assert_equal [table, "}"], [found, bytes[size - 1]], "#{serializer}, the first #{size} bytes"
      end
    end
  end

  # With a name of 255 bytes, a journal cannot have a name.
  def test_long_names
    store = Frugal::Store.new(path("n" * 255))
    2.times { |number| store["a"] = number }
    assert_equal 1, Frugal::Store.new(store.path)["a"]
    durable = Frugal::Store.new(path("d" * 255), durability: :durable)
    assert_raises(Errno::ENAMETOOLONG) { durable["a"] = 1 }
    assert_nil durable["a"]
  end

  def test_pipes
    skip "JRuby cannot stat a fifo that File.mkfifo has made" if RUBY_ENGINE == "jruby"
    File.mkfifo(path("pipe"))
    ([:file] | (HERE & %i[sqlite])).each do |kind|
      [->(store) { store["a"] }, ->(store) { store["a"] = 1 }].each do |call|
        error = assert_raises(Frugal::UsageError) do
          call.call(open_store(kind, path("pipe")))
        end
        assert_match(/not a regular file/, error.message)
      end
    end
  end

  def test_directories_and_links
    assert_raises(Errno::EISDIR) { Frugal::Store.new(tree)[:a] }
    assert_raises(Errno::EISDIR) { Frugal::Store.new(tree)[:a] = 1 }
    %i[fast atomic durable].each do |durability|
      symlink("target #{durability}", "link")
      store = Frugal::Store.new(path("link"), durability: durability)
      store[:a] = 1
      File.chmod(0o640, path("target #{durability}"))
      store[:a] = 2
      assert File.symlink?(path("link"))
      assert_equal 0o640, File.stat(path("target #{durability}")).mode & 0o777
      assert_equal 2, Frugal::Store.new(path("target #{durability}"))[:a]
      File.unlink(path("link"))
    end
  end
end
