# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/stores"
require "frugal/store"
require "pstore"
require "timeout"

# Frugal::Store's API, the same on each engine and with each serializer.
class StoreTest < Frugal::TestCase
  include Stores

  Point = Struct.new(:x, :y)

  def test_every_kind_is_here
    %i[sqlite messagepack].each { |gem| needs(gem) }
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
      values = { "text" => "a\u00e9", "list" => [1, nil, true, 2.5, ["x"]], "map" => { "k" => { "l" => [] } }, "big" => 2**62, "no" => nil, "off" => false }
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
      store["a"]["list"] << 3 # a copy
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
      store.transaction { ["user:1", "page", "user:2", "userx", "user:\u00e9", "user"].each { |key| store[key] = key.size } }
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

    # What is written can be read: a table holds its roots one level deeper.
    define_method("test_depth_#{kind}") do
      store = open_store(kind)
      (97..102).each do |depth|
        data = (1...depth).inject([]) { |nest, _| [nest] }
        store["deep"] = data
        assert_equal data, open_store(kind)["deep"]
      rescue TypeError => error
        assert_operator depth, :>, 99, error.message
        assert_match(/more than 100 deep/, error.message)
      end
    end

    define_method("test_misuse_#{kind}") do
      store = open_store(kind)
      store["a"] = 1
      nested = assert_raises(Frugal::UsageError) { store.transaction { store["a"] = 2; store.transaction {} } }
      assert_match(/nested transaction/, nested.message)
      read_only = assert_raises(Frugal::UsageError) { store.transaction(true) { store["a"] = 2 } }
      assert_match(/read-only/, read_only.message)
      [-> { store.delete("a") }, -> { store.update("a") { 2 } }].each { |call| assert_raises(Frugal::UsageError) { store.each { call.() } } }
      [-> { store.commit }, -> { store.abort }].each { |call| assert_match(/not in a transaction/, assert_raises(Frugal::UsageError, &call).message) }
      assert_equal 1, store["a"]
    end

    define_method("test_what_cannot_be_dumped_changes_nothing_#{kind}") do
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
      Array.new(4) { Thread.new { 10.times { store.update("count") { |count| Thread.pass; count.to_i + 1 } } } }.each(&:join)
      assert_equal 40, store["count"]
    end

    define_method("test_a_transaction_is_its_threads_alone_#{kind}") do
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

    define_method("test_a_reader_makes_no_file_#{kind}") do
      store = open_store(kind)
      assert_empty store.keys
      assert_empty Dir.children(tree)
    end
  end

  def test_pstore_reads_it_and_is_read
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

  def test_keys_of_any_type
    keys = ["text", "\u00e9", "\xFF".b, :symbol, 1, 2**70, 1.5, nil, true, [1, "a", [:b]], { 1 => 2 }, 1..2, Point.new(1, 2), 3r, String]
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

  def test_json_is_for_people_and_refuses_what_it_would_change
    store = Frugal::Store.new(path("a.json"), serializer: :json)
    store.transaction { store["b"] = [1, "x"]; store["a"] = { "k" => nil } }
    assert_equal "{\n\"b\": [1,\"x\"],\n\"a\": {\"k\":null}\n}\n", File.read(store.path)
    [:key, 1, nil].each { |key| assert_match(/Strings for keys/, assert_raises(Frugal::UsageError) { store[key] = 1 }.message) }
    [:symbol, { 1 => 2 }, Float::NAN, "\xFF", "\xFF".b, Time.now, 1r, Class.new(Array).new, Hash.new(1)].each do |value|
      assert_match(/json cannot hold/, assert_raises(TypeError, value.inspect) { store["c"] = value }.message)
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

  def test_options_that_make_no_sense
    { engine: :redis, durability: :slow, serializer: :yaml }.each do |option, value|
      error = assert_raises(Frugal::UsageError) { Frugal::Store.new(path("a"), option => value) }
      assert_match(/\A#{option}: it is .*, not #{value.inspect}\z/, error.message)
    end
    assert_match(/no directory/, assert_raises(Frugal::UsageError) { Frugal::Store.new(path("missing/a")) }.message)
  end

  def test_files_that_are_no_store
    { "text" => "hello", "marshal of a list" => Marshal.dump([1]), "cut off" => Marshal.dump({ a: "x" * 50 })[0, 30] }.each do |name, bytes|
      write(name, bytes)
      [-> (store) { store[:a] }, -> (store) { store[:a] = 1 }].each do |call|
        error = assert_raises(Frugal::CorruptStore, name) { call.(Frugal::Store.new(path(name))) }
        assert_includes error.message, path(name)
      end
      assert_equal bytes, File.binread(path(name))
    end
  end

  def test_a_file_that_was_cut_is_never_silently_another
    table = { "a" => 1, "list" => [1, 2.5, nil], "text" => "\u00e9" * 20, "map" => { "k" => { "l" => "m" } } }
    (%i[marshal json] + (StoreGems::AVAILABLE & %i[messagepack])).each do |serializer|
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
        assert_equal [table, "}"], [found, bytes[size - 1]], "#{serializer}, the first #{size} bytes" # JSON's last line break is none of it
      end
    end
  end

  def test_an_sqlite_file_that_is_none
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
    assert_match(/no store of frugal's/, assert_raises(Frugal::CorruptStore) { Frugal::Store.new(path("other"), engine: :sqlite)[1] = 2 }.message)
    assert_match(/store of marshal, not of json/, assert_raises(Frugal::UsageError) { Frugal::Store.new(store.path, engine: :sqlite, serializer: :json)["a"] }.message)
    assert_raises(Errno::EISDIR) { Frugal::Store.new(tree, engine: :sqlite)[1] }
    [-> { Frugal::Store.new(store.path)[1] }, -> { Frugal::Store.new(store.path, serializer: :json)["a"] }].each { |call| assert_raises(Frugal::CorruptStore, &call) }
  end

  def test_an_sqlite_file_that_is_replaced_or_removed
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

  # Wherever an interrupt comes, what is done next is done.
  def test_an_sqlite_transaction_that_is_interrupted
    needs(:sqlite)
    skip "the gem's methods are C's" if RUBY_ENGINE == "jruby"
    store, other = Array.new(2) { open_store(:sqlite) }
    store[1] = 0
    interrupted = (1..30).count do |call|
      calls = 0
      trace = TracePoint.new(:c_return) { |point| raise IOError if SQLite3::Statement === point.self && (calls += 1) == call }
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

  def test_forks
    skip "JRuby cannot fork" unless Process.respond_to?(:fork)
    (HERE & %i[file durable sqlite]).each do |kind|
      store = open_store(kind)
      store["a"] = 1
      store.close if kind == :sqlite # or its gem warns
      child = fork { exit!(store.update("a") { |value| value + 1 } == 2) }
      assert Process.wait2(child).last.success?, kind.inspect
      assert_equal 3, store.update("a") { |value| value + 1 }
    end
  end

  def test_a_fork_does_not_commit_its_parents_transaction
    skip "JRuby cannot fork" unless Process.respond_to?(:fork)
    (HERE & %i[file atomic durable sqlite]).each do |kind|
      store = open_store(kind)
      store["a"] = 1
      pid = nil
      begin
        store.transaction do
          store["a"] = 2
          pid = fork
        end
        exit!(1) if pid.nil?
      rescue Frugal::UsageError
        exit!(pid.nil? ? 0 : 2)
      end
      assert Process.wait2(pid).last.success?, kind.inspect
      assert_equal 2, store["a"]
      assert_equal 2, open_store(kind)["a"]
    end
  end

  def test_ractors
    skip "there are no Ractors here" unless defined?(Ractor) && RUBY_ENGINE == "ruby"
    result = run_ruby("-W0", RACTOR_VALUE, "-e", "require 'frugal/store'; Ractor.new(ARGV[0]) { |path| Frugal::Store.new(path)[1] }.value", path("a"))
    refute result.success?
    assert_match(/main Ractor only/, result.err)
  end

  def test_prefixes_of_bytes
    (marshal_kinds | (HERE & %i[messagepack sqlite_messagepack])).each do |kind|
      store = open_store(kind)
      bytes = "user:\xFF".b
      store.transaction { ["user:1", bytes, "user", "\xFF".b].each { |key| store[key] = 1 } }
      assert_equal ["user:1", bytes], store.keys(prefix: "user:"), kind.inspect
      assert_equal store.keys, store.keys(prefix: ""), kind.inspect
      assert_equal [bytes], store.keys(prefix: bytes), kind.inspect
    end
  end

  def test_keys_that_json_has_not
    (HERE & %i[json sqlite_json]).each do |kind|
      store = open_store(kind)
      ["\xFF", "\xFF".b, "\u00e9".encode("ISO-8859-1"), :a, nil].each { |key| assert_raises(Frugal::UsageError, key.inspect) { store[key] = 1 } }
      assert_empty store.keys
    end
  end

  # One that leaves no room for the name of a journal.
  def test_long_names
    store = Frugal::Store.new(path("n" * 255))
    2.times { |number| store["a"] = number }
    assert_equal 1, Frugal::Store.new(store.path)["a"]
    durable = Frugal::Store.new(path("d" * 255), durability: :durable)
    assert_raises(Errno::ENAMETOOLONG) { durable["a"] = 1 }
    assert_nil durable["a"]
  end

  def test_pipes
    skip "JRuby has no File.mkfifo that it can stat" if RUBY_ENGINE == "jruby"
    File.mkfifo(path("pipe"))
    ([:file] | (HERE & %i[sqlite])).each do |kind|
      [-> (store) { store["a"] }, -> (store) { store["a"] = 1 }].each do |call|
        error = assert_raises(Frugal::UsageError) { Timeout.timeout(5) { call.(open_store(kind, path("pipe"))) } }
        assert_match(/no regular file/, error.message)
      end
    end
  end

  def test_messagepack_with_something_behind_it
    needs(:messagepack)
    write("padded", "\x81\xA1a\x01\xC0\xC0".b) # as a kill may leave it
    assert_equal 1, Frugal::Store.new(path("padded"), serializer: :messagepack)["a"]
    write("joined", "\x81\xA1a\x01\x81\xA1b\x02".b)
    assert_raises(Frugal::CorruptStore) { Frugal::Store.new(path("joined"), serializer: :messagepack)["a"] }
  end

  def test_marshal_that_only_loading_refuses
    { "too big" => "\x04\b{\xF0:\x06a0", "frozen" => "\x04\b{\x06:\x06aIf\x061\x06:\a@b0" }.each do |name, bytes|
      write(name, bytes.b)
      refused = begin
        Marshal.load(bytes.b) && false # as some Rubies do
      rescue RuntimeError
        true
      end
      assert_raises(Frugal::CorruptStore, name) { Frugal::Store.new(path(name))[:a] } if refused
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

  def test_classes_that_are_not_loaded
    write("a", "\x04\b{\x06:\x06ao:\x1BFrugalTestMissingClass\x00".b)
    error = assert_raises(Frugal::UsageError) { Frugal::Store.new(path("a"))[:a] }
    assert_match(/FrugalTestMissingClass.*require/, error.message)
  end
end
