# frozen_string_literal: true

require_relative "store_case"

# What Rails asks of every store. FrugalStore and, as the control, FileStore.
module Behaviours
  Named = Struct.new(:cache_key, :cache_version)

  def test_values
    ["text", "\xFF".b, :symbol, 1, 1.5, nil, false, true, [1, [2]], { "a" => { b: 1 } }, "x" * 100_000, "", Time.at(1)].each do |value|
      assert_equal true, @cache.write("key", value)
      assert_equal [value], [@cache.read("key")]
      assert_equal [value], [@cache.fetch("key") { flunk }]
      assert_equal true, @cache.exist?("key")
    end
    assert_equal [nil, false], [@cache.read("missing"), @cache.exist?("missing")]
    refute @cache.delete("missing")
    assert_equal [true, nil], [@cache.delete("key"), @cache.read("key")]
  end

  def test_a_value_is_a_copy
    @cache.write("key", value = { list: [1] })
    value[:list] << 2
    @cache.read("key")[:list] << 3
    assert_equal({ list: [1] }, @cache.read("key"))
  end

  def test_keys
    @cache.write(Named.new("named", nil), 1)
    @cache.write(["a", Named.new("b", nil)], 2)
    @cache.write({ b: 1, a: 2 }, 3)
    @cache.write(:symbol, 4)
    @cache.write("ü", 5)
    @cache.write("ü".b, 6)
    assert_equal [1, 2, 3, 4, 6], ["named", "a/b", "a=2/b=1", "symbol", "ü"].map { |key| @cache.read(key) }
    assert_nil @cache.read("NAMED")
    ["x" * 10_000, "a\0b", "../../x", "%", "/", "\xFF", "a b"].each do |key|
      assert_equal [true, key], [@cache.write(key, key), @cache.read(key)]
    end
    [nil, "", [], {}].each { |key| assert_raises(ArgumentError) { @cache.write(key, 1) } } if StoreCase::VERSION >= 7.1
  end

  def test_fetch
    assert_equal("computed missing", @cache.fetch("missing") { |key| "computed #{key}" })
    assert_equal "computed missing", @cache.read("missing")
    assert_equal("again", @cache.fetch("missing", force: true) { "again" })
    assert_raises(ArgumentError) { @cache.fetch("missing", force: true) }
    assert_nil(@cache.fetch("nothing", skip_nil: true) { nil })
    assert_equal false, @cache.exist?("nothing")
    assert_nil(@cache.fetch("nothing") { nil })
    assert_equal true, @cache.exist?("nothing")
    assert_nil(@cache.fetch("nothing") { flunk })
  end

  def test_options_of_a_fetch
    return if StoreCase::VERSION < 7.1

    @cache.fetch("key") { |_, options| (options.expires_in = 10) && "value" }
    later(11) { assert_nil @cache.read("key") }
  end

  def test_expiry
    @cache.write("in", 1, expires_in: 10)
    @cache.write("at", 2, expires_at: Time.now + 10) if StoreCase::VERSION >= 7.1
    @cache.write("default", 3)
    @cache.write("never", 4, expires_in: nil)
    later(9) { assert_equal [1, 3, 4], %w[in default never].map { |key| @cache.read(key) } }
    later(11) { assert_equal [nil, nil, 3, 4], %w[in at default never].map { |key| @cache.read(key) } }
    later(61) { assert_equal [nil, 4], %w[default never].map { |key| @cache.read(key) } }
    assert_nil @cache.read("default"), "an expired entry that was read is deleted"
  end

  # The clock goes back: what expired is deleted already, the rest is there.
  def test_a_clock_that_jumps
    @cache.write("key", 1, expires_in: 10)
    later(-10_000) { assert_equal 1, @cache.read("key") }
    later(10_000) { assert_equal false, @cache.exist?("key") }
    assert_equal 1, @cache.read("key")
  end

  def test_versions
    @cache.write("key", 1, version: 1)
    assert_equal [1, nil, 1], [@cache.read("key", version: 1), @cache.read("key", version: 2), @cache.read("key")]
    @cache.write(Named.new("named", "1"), "one")
    assert_equal ["one", nil], [@cache.read(Named.new("named", "1")), @cache.read(Named.new("named", "2"))]
    assert_equal false, @cache.exist?("key", version: 2)
    assert_equal(2, @cache.fetch("key", version: 2) { 2 })
    assert_equal({}, @cache.read_multi("key", version: 1))
    assert_equal true, @cache.class.supports_cache_versioning?
  end

  def test_namespaces
    one, two = store(namespace: "one"), store(namespace: -> { "two" })
    one.write("key", 1)
    two.write("key", 2)
    assert_equal [1, 2, nil, 1], [one.read("key"), two.read("key"), @cache.read("key"), @cache.read("one:key")]
    assert_equal 2, one.read("key", namespace: "two")
    assert_equal 1, one.read("one:key", namespace: nil)
    one.delete_matched(/key/)
    assert_equal [nil, 2], [one.read("key"), two.read("key")]
  end

  def test_multi
    assert @cache.write_multi({ "a" => 1, "b" => nil })
    assert_equal({ "a" => 1, "b" => nil }, @cache.read_multi("a", "missing", "b"))
    assert_equal({ "c" => "cc", "a" => 1 }, @cache.fetch_multi("c", "a") { |key| key * 2 })
    assert_equal "cc", @cache.read("c")
    assert_equal 2, @cache.delete_multi(%w[a missing c])
    assert_equal({ "b" => nil }, @cache.read_multi("a", "b", "c"))
    @cache.write_multi({ "d" => 1 }, expires_in: 10)
    later(11) { assert_equal({}, @cache.read_multi("d")) }
  end

  def test_unless_exist
    assert_equal [true, false, 1], [@cache.write("key", 1, unless_exist: true), @cache.write("key", 2, unless_exist: true), @cache.read("key")]
    @cache.write("nil", nil)
    assert_equal false, @cache.write("nil", 1, unless_exist: true)
  end

  def test_compression
    @cache.write("plain", "x" * 5000, compress: false)
    @cache.write("small", "x" * 5000)
    assert_equal ["x" * 5000] * 2, [@cache.read("plain"), @cache.read("small")]
    sizes = Dir.glob(path("cache/**/*")).select { |file| File.file?(file) }.map { |file| File.size(file) }
    assert_equal [true, false], sizes.minmax.map { |size| size < 1000 }
  end

  def test_serializers
    return if StoreCase::VERSION < 7.1

    by_name = Object.new
    by_name.define_singleton_method(:dump, &:name)
    by_name.define_singleton_method(:load) { |text| Object.const_get(text) }
    names = store(serializer: by_name)
    names.write("key", Integer)
    assert_equal Integer, names.read("key")
    assert_raises(ArgumentError) { store(serializer: :message_pack, coder: Marshal) }
  end

  def test_coders
    coder = Module.new do
      def self.dump(entry) = Marshal.dump(["mine", entry.value])
      def self.load(bytes) = ActiveSupport::Cache::Entry.new(Marshal.load(bytes).last.reverse)
    end
    cache = store(coder: coder)
    cache.write("key", "abc")
    assert_equal "cba", cache.read("key")
  end

  def test_a_class_that_is_gone
    return if StoreCase::VERSION < 7.1

    Behaviours.const_set(:Gone, Class.new)
    @cache.write("key", Behaviours::Gone.new)
    Behaviours.send(:remove_const, :Gone)
    assert_equal [nil, false], [@cache.read("key"), @cache.exist?("key")]
    assert_equal("new", @cache.fetch("key") { "new" })
  end

  def test_counters
    return if StoreCase::VERSION < 7.1 # FileStore 7.0 does not count from 0

    assert_equal [1, 11, 10], [@cache.increment("a"), @cache.increment("a", 10), @cache.decrement("a")]
    assert_equal [-1, 10], [@cache.decrement("b"), @cache.read("a")]
    @cache.write("c", "7", raw: true)
    assert_equal 8, @cache.increment("c")
    assert_raises(ArgumentError) { @cache.increment("a", "x") } if StoreCase::VERSION >= 7.2
  end

  def test_a_counter_keeps_its_time_of_expiry
    return if StoreCase::VERSION < 7.2 # FileStore gave it a new one

    assert_equal 1, @cache.increment("d", 1, expires_in: 10)
    assert_equal 2, @cache.increment("d", 1, expires_in: 1000)
    later(11) { assert_equal [nil, 1], [@cache.read("d"), @cache.increment("d")] }
  end

  def test_race_condition_ttl
    @cache.write("key", "old", expires_in: 10)
    later(15) do
      value = @cache.fetch("key", race_condition_ttl: 10) do
        assert_equal "old", @cache.read("key")
        "new"
      end
      assert_equal %w[new new], [value, @cache.read("key")]
    end
    @cache.write("key", "old", expires_in: 10)
    later(25) { @cache.fetch("key", race_condition_ttl: 10) { assert_nil(@cache.read("key")) && "new" } }
    @cache.write("key", "old", expires_in: 10)
    later(15) do
      assert_raises(KeyError) { @cache.fetch("key", race_condition_ttl: 10) { raise KeyError } }
      assert_equal "old", @cache.read("key")
    end
    later(26) { assert_nil @cache.read("key") }
  end

  def test_delete_matched
    %w[foo fu foo/bar fu/baz].each { |key| @cache.write(key, key) }
    @cache.delete_matched(/oo/)
    assert_equal([nil, "fu", nil, "fu/baz"], %w[foo fu foo/bar fu/baz].map { |key| @cache.read(key) })
  end

  def test_clear
    write("cache/.keep")
    10.times { |n| @cache.write(n, n) }
    @cache.clear
    assert_equal [nil] * 10, Array.new(10) { |n| @cache.read(n) }
    assert_path_exists path("cache/.keep")
    FileUtils.rm_r(path("cache"))
    assert_nil @cache.clear
  end

  def test_cleanup
    @cache.write("old", 1, expires_in: 10)
    @cache.write("new", 1, expires_in: 30)
    later(15) do
      @cache.cleanup
      assert_equal [false, true], %w[old new].map { |key| @cache.exist?(key) }
    end
    assert_equal [false, true], %w[old new].map { |key| @cache.exist?(key) }
  end

  def test_a_directory_as_pathname
    require "pathname"
    cache = ActiveSupport::Cache.lookup_store(self.class::KIND, Pathname(path("other")))
    assert_equal [true, 1], [cache.write("key", 1), cache.read("key")]
    assert_equal path("other"), cache.cache_path
  end

  def test_forks
    @cache.write("key", "of the parent")
    assert_equal([["of the parent", true]], in_processes(1) { [@cache.read("key"), @cache.write("key", "of the child")] })
    assert_equal "of the child", @cache.read("key")
  end
end
