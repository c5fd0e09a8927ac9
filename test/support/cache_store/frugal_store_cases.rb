# frozen_string_literal: true

require_relative "behaviours"
require_relative "../store_gems"

# What only FrugalStore promises, and Rails' behaviours.
class FrugalStoreCases < StoreCase
  include Behaviours

  Store = ActiveSupport::Cache.lookup_store(:frugal_store, "unused").class
  SECRET = "s" * 32

  class Planted
    class << self
      attr_accessor :loaded
    end

    def marshal_dump = []
    def marshal_load(_) = self.class.loaded = true
  end

  def test_keys_that_are_names_of_directories
    [".", "..", "/", "a/../b"].each { |key| assert_equal [true, key], [@cache.write(key, key), @cache.read(key)] }
  end

  def test_no_increment_is_lost
    assert_equal (1..1200).to_a, in_processes(8) { Array.new(150) { @cache.increment("count") } }.flatten.sort
    assert_equal 1200, @cache.read("count")
  end

  # Counters that expire while others count and read: nobody deletes what another one has just counted.
  def test_no_increment_is_lost_when_a_counter_expires
    20.times do |round|
      key = "count#{round}"
      @cache.write(key, 100, expires_in: 0.01)
      sleep 0.011
      in_processes(4) do |number|
        number.even? ? 5.times { @cache.read(key) } : 5.times { @cache.increment(key, 1, expires_in: 60) }
        nil
      end
      assert_equal 10, @cache.read(key)
    end
  end

  def test_one_process_computes_an_expired_value
    @cache.write("key", "old", expires_in: 0.01)
    sleep 0.02
    values = in_processes(8) do
      computed = false
      value = @cache.fetch("key", race_condition_ttl: 30) do
        computed = true
        sleep 0.1
        "new"
      end
      [computed, value]
    end
    assert_equal [[true, "new"]], values.select(&:first)
    assert_empty values.reject(&:first).map(&:last) - %w[old new] # a process that is late gets the new one
    assert_equal "new", @cache.read("key")
  end

  def test_what_was_deleted_meanwhile_is_not_written_again
    @cache.write("key", "old", expires_in: 10)
    later(15) do
      stale = @cache.send(:read_entry, "key")
      @cache.delete("key")
      assert_nil @cache.send(:handle_expired_entry, stale, "key", { race_condition_ttl: 10 })
      assert_equal false, @cache.exist?("key")
    end
  end

  def test_counters_of_all_versions
    assert_equal [false, 1, 0], [@cache.delete("d"), @cache.increment("d", 1, expires_in: 10), @cache.decrement("d", 1, expires_in: 1000)]
    later(11) { assert_equal [nil, 1], [@cache.read("d"), @cache.increment("d")] }
    assert_raises(ArgumentError) { @cache.increment("d", "x") }
  end

  def test_unless_exist_is_atomic
    20.times { |n| assert_equal 1, in_processes(4) { @cache.write("lock#{n}", 1, unless_exist: true) }.count(true) }
    @cache.write("expired", 1, expires_in: 10)
    later(11) { assert_equal true, @cache.write("expired", 2, unless_exist: true) }
  end

  def test_costs
    skip "the pure engine makes more calls" unless Frugal::Native.engine_name == :c

    { store(namespace: "n", compress: false) => "with a namespace", store(secret: SECRET) => "sealed" }.each do |cache, name|
      2.times { cache.write("key", "value" * 20) }
      assert_cost(syscalls: %w[open pread close], exceptions: 0) { assert_equal "value" * 20, cache.read("key"), name }
      assert_cost(syscalls: %w[open pread close], exceptions: 0) { assert cache.exist?("key") }
      assert_cost(syscalls: %w[open pread close], exceptions: 0) { cache.fetch("key") { flunk } }
      assert_cost(syscalls: %w[open], exceptions: 0) { assert_nil cache.read("missing") }
      assert_cost(syscalls: %w[open], exceptions: 0) { refute cache.exist?("missing") }
      assert_cost(syscalls: %w[open pread close open], exceptions: 0) { cache.read_multi("key", "missing") }
      assert_cost(syscalls: %w[open flock fstat pread pwrite close], exceptions: 0) { cache.write("key", "other" * 20) }
      2.times { cache.increment("count") } # the second reads a counter: ActiveSupport 7.1 then loads MessagePack if it is there
      assert_cost(syscalls: %w[open flock fstat pread pwrite close], exceptions: 0) { cache.increment("count") }
      assert_cost(syscalls: %w[open flock fstat pread pwrite unlink close], exceptions: 0) { cache.delete("key") }
    end
  end

  def test_a_hit_of_the_local_cache_costs_nothing
    @cache.write("key", 1)
    @cache.with_local_cache do
      @cache.read("key")
      assert_cost(syscalls: 0, exceptions: 0) { assert_equal 1, @cache.read("key") }
    end
  end

  def test_local_cache
    peek = store
    @cache.with_local_cache do
      @cache.write("key", 1)
      peek.write("key", 2)
      assert_equal 1, @cache.read("key")
      assert_equal 3, @cache.increment("key")
      assert_equal 3, @cache.read("key")
      @cache.delete_matched("k*")
      assert_nil @cache.read("key")
      @cache.write("key", "old", expires_in: 10)
      later(15) do
        @cache.fetch("key", race_condition_ttl: 10) { assert_equal("old", @cache.read("key")) && "new" }
        assert_equal %w[new new], [@cache.read("key"), peek.read("key")]
      end
      @cache.clear
      assert_nil @cache.read("key")
    end
  end

  # With and without observers, which take different ways.
  def test_reads_are_the_same_when_they_are_observed
    @cache.write("key", [1], version: "1")
    @cache.write("old", 1, expires_in: 10)
    @cache.write("nil", nil)
    read = lambda do
      later(11) { [@cache.read("key"), @cache.read("missing"), @cache.read("nil"), @cache.read("old"), @cache.exist?("old")] }
    end
    plain = read.call
    @cache.write("old", 1, expires_in: 10)
    seen = events { assert_equal plain, read.call }
    assert_equal [[1], nil, nil, nil, false], plain
    assert_equal [true, false, true, false], seen.first(4).map { |_, payload| payload[:hit] }
    assert_equal 1, files.size - 1, "the expired entry is deleted"
  end

  def test_a_module_that_is_prepended_to_store_sees_reads
    result = in_processes(1) do
      tracer = Module.new { def read(name, *) = ($seen ||= []).push(name) && super } # rubocop:disable Style/GlobalVars
      ActiveSupport::Cache::Store.prepend(tracer)
      100.times { @cache.read("key") }
      store.read("other")
      $seen.tally # rubocop:disable Style/GlobalVars
    end
    assert_equal [{ "key" => 100, "other" => 1 }], result
  end

  # Events and their payloads are those of FileStore, except the key, which is there a path.
  def test_events
    stock = ActiveSupport::Cache.lookup_store(:file_store, path("stock"))
    stock_events, ours = [stock, store].map { |cache| events { exercise(cache) } }
    without_key = lambda do |(name, payload)|
      [name, payload.except(:key, :store, :hits), *payload[:hits]&.map { |hit| File.basename(hit) }]
    end
    assert_equal stock_events.map(&without_key), ours.map(&without_key)
    assert_equal [Store.name], ours.map { |_, payload| payload[:store] }.uniq
    assert_equal "key", ours.first.last[:key]
    counted = events { @cache.increment("count", 2) }
    assert_equal [["increment", { key: "count", amount: 2, store: Store.name }]], counted.map { |name, payload| [name, payload.slice(:key, :amount, :store)] }
  end

  def test_what_is_logged
    out = StringIO.new
    Store.logger = Logger.new(out)
    @cache.read("key")
    assert_match(/Cache read: key/, out.string)
  ensure
    Store.logger = nil
  end

  def test_bad_files_are_misses
    Planted.loaded = nil
    @cache.write("key", "value")
    whole = File.binread(files.first)
    [Marshal.dump(Planted.new), "\0#{Marshal.dump([Planted.new])}", whole.sub("value", "VALUE"), whole[0, 60], "", "x" * 100_000].each do |content|
      File.binwrite(files.first, content)
      assert_equal [nil, false, {}], [@cache.read("key"), @cache.exist?("key"), @cache.read_multi("key")]
      assert_equal("new", @cache.fetch("key") { "new" })
      assert_equal "new", @cache.read("key")
      assert_equal 1, @cache.increment("count")
      @cache.delete("count")
    end
    refute Planted.loaded
  end

  # Someone who may write to the directory can give an entry a valid checksum. A secret prevents it.
  def test_planted_entries_are_loaded_only_without_a_secret
    payload = @cache.send(:serialize_entry, ActiveSupport::Cache::Entry.new(Planted.new))
    Planted.loaded = nil
    plant = -> { Frugal::Cache::Directory.new(path("cache")).write("key", payload) }
    plant.call
    sealed = store(secret: SECRET)
    assert_nil sealed.read("key")
    assert_equal 1, sealed.increment("key")
    plant.call
    assert_equal("new", sealed.fetch("key") { "new" })
    plant.call
    sealed.delete_matched(/./)
    refute Planted.loaded
    @cache.read("key")
    assert Planted.loaded
  end

  def test_the_secret_is_in_no_event
    sealed = store(secret: SECRET)
    seen = events { sealed.fetch("key") { 1 } }
    refute_includes seen.inspect + sealed.inspect + sealed.options.inspect, SECRET
  end

  def test_message_pack
    skip "msgpack is not here" unless VERSION >= 7.1 && StoreGems::AVAILABLE.include?(:messagepack)

    cache = store(serializer: :message_pack)
    cache.write("key", { "a" => [1, :b] })
    assert_equal({ "a" => [1, :b] }, cache.read("key"))
    assert_equal 1, cache.increment("count")
  end

  def test_a_disk_that_fails
    @cache.write("key", "value")
    reported = []
    cache = store(error_handler: ->(method:, returning:, exception:) { reported << [method, returning, exception.class] })
    FileUtils.rm_r(path("cache"))
    write("cache") # a file: every path beneath it is a miss, and no directory can be made
    failed = VERSION < 7.2 ? false : nil
    assert_equal [nil, failed, false, nil], [cache.read("key"), cache.write("key", 1), cache.delete("key"), cache.increment("key")]
    assert_equal(1, cache.fetch("key") { 1 })
    assert_equal({ "key" => 1 }, cache.fetch_multi("key") { 1 })
    assert_nil cache.clear
    assert_includes reported.map(&:first), :write_entry
    assert_includes reported.map(&:first), :increment
    assert_equal failed, store.write("key", 1)
  end

  def test_failures_are_logged_and_reported
    out = StringIO.new
    seen = []
    Store.logger = Logger.new(out)
    subscriber = Object.new
    subscriber.define_singleton_method(:report) { |error, severity:, context:, **| seen << [error.class, severity, context[:cache]] }
    ActiveSupport.error_reporter&.subscribe(subscriber)
    write("cache")
    @cache.write("key", 1)
    assert_match(/FrugalStore: write_entry failed.*E[A-Z]+/, out.string)
    assert_equal [[:warning, "frugal_store"]], seen.map { |one| one.drop(1) }.uniq if ActiveSupport.error_reporter
  ensure
    Store.logger = nil
  end

  # What cannot be written does not leave the outdated value.
  def test_a_full_disk
    require_relative "../../crash/traced_fork"
    skip "needs strace" unless Safety::TracedFork.available? && Frugal::Native.engine_name == :c

    @cache.write("key", "old")
    outcome = Safety::TracedFork.new(["-e", "inject=pwrite64:error=ENOSPC"]).call do |say|
      say.call(@cache.write("key", "new").inspect)
      say.call(@cache.increment("count").inspect)
    end
    assert_equal [(VERSION < 7.2 ? false : nil).inspect, "nil"], outcome.messages
    assert_nil @cache.read("key")
  end

  def test_an_entry_that_is_too_large
    cache = store(max_entry_size: 1000, compress: false)
    cache.write("key", "x")
    assert_equal false, cache.write("key", "x" * 2000)
    assert_nil cache.read("key")
  end

  def test_max_size
    cache = store(max_size: 200_000, compress: false)
    1500.times { |n| cache.write("key#{n}", "x" * 500) }
    assert_operator files.sum { |file| File.size(file) }, :<, 300_000
    assert_equal "x" * 500, cache.read("key1499")
  end

  def test_prune
    20.times { |n| @cache.write("key#{n}", "x" * 500) }
    @cache.write("old", 1, expires_in: 10)
    seen = later(20) { events { @cache.prune(5000) } }
    assert_equal [["prune", 5000]], seen.map { |name, payload| [name, payload[:key]] }
    assert_operator files.sum { |file| File.size(file) }, :<=, 5000
    assert_operator files.size, :>, 3
  end

  def test_globs
    %w[posts/1 posts/2 users/1 posts].each { |key| @cache.write(key, key) }
    @cache.write("a\0b", 1)
    @cache.delete_matched("posts/*")
    assert_equal([nil, nil, "users/1", "posts"], %w[posts/1 posts/2 users/1 posts].map { |key| @cache.read(key) })
    store(namespace: "n").tap { |cache| cache.write("posts/1", 1) }.delete_matched("posts/?")
    assert_nil @cache.read("n:posts/1")
    @cache.write("\xFF", 1)
    @cache.delete_matched(/\A[^x]\z/)
    assert_nil @cache.read("\xFF")
  end

  def test_permissions
    store(permissions: 0o640).write("key", 1)
    assert_equal [0o640, 0o750], [files.first, path("cache")].map { |name| File.stat(name).mode & 0o777 }
  end

  def test_a_coder_that_returns_no_string
    assert_raises(ArgumentError) { store(coder: nil).write("key", 1) }
  end

  def test_threads
    threads = Array.new(4) { |n| Thread.new { 100.times { |m| [@cache.increment("count"), @cache.write("key#{n}", m), @cache.read("key#{n}")] } } }
    threads.each(&:join)
    assert_equal 400, @cache.read("count")
  end

  private

  def exercise(cache)
    cache.read("key")
    cache.write("key", 1, expires_in: 10)
    cache.read("key")
    cache.fetch("key", expires_in: 5) { 2 }
    cache.fetch("other") { 2 }
    cache.exist?("key")
    cache.read_multi("key", "missing")
    cache.write_multi({ "a" => 1 })
    cache.fetch_multi("a", "b") { 3 }
    cache.delete("key")
    cache.delete_multi(%w[a b])
    cache.delete_matched(/x/)
    cache.clear
    cache.cleanup
  end
end
