# frozen_string_literal: true

require_relative "../support/redis_sessions"
require_relative "../support/redis_cluster"

# Sessions and stores in a cluster of one node, which refuses a script with keys of two slots, as all do.
# session_redis_failover_test.rb has larger ones.
class SessionRedisClusterTest < RedisSessions
  def setup
    needs(:redis)
    skip "the gem redis-cluster-client is not installed: bin/setup --stores" unless StoreGems::CLUSTER

    @cluster = RedisCluster.shared
    @redis = client(@cluster.servers[0])
    @redis.call("FLUSHALL")
    @name = "shop"
    @backend = backend(lock_wait: 100)
    @backend.create(ID, "0", 1, 100)
  end

  def test_the_queue
    stored = load
    others = Array.new(3) { |number| waiter { |mine| save(mine, "#{mine.bytes}#{number}") } }
    child = fork do
      load(@backend).then { |mine| save(mine, "#{mine.bytes}child") }
    ensure
      exit!
    end
    wait_until { waiting == 4 }
    save(stored, "-")
    others.each(&:join)
    Process.wait(child)
    assert_equal "-012child", value
    assert_equal %w[done session], keys
  end

  def test_sessions_are_spread_and_the_keys_of_one_are_together
    slots = %w[session turn quarantine queue waits done].map { |kind| @redis.call("CLUSTER", "KEYSLOT", key(kind)) }
    assert_equal 1, slots.uniq.size
    refute_equal slots[0], @redis.call("CLUSTER", "KEYSLOT", key("session", "0" * 64))
  end

  def test_round_trips
    counting = backend(middlewares: [Trips])
    2.times do |round|
      found = [trips { load(counting).then { |mine| save(mine, "1", counting) } },
               trips { counting.load("2::unknown", true) { flunk } }, trips { counting.create("new", "1", 1, 100) }]
      assert_equal [2, 2, 1], found if round == 1 # before, scripts and nodes were unknown
    end
  end

  def test_what_redis_may_be
    urls = @cluster.urls
    require "redis_cluster_client"
    config = RedisClient.cluster(nodes: urls)
    [urls, [{ host: "127.0.0.1", port: @cluster.servers[0].port }], urls[0]].each do |nodes|
      assert_equal "0", load(Backend.new({ cluster: nodes, store: @name }), turn: false).bytes
    end
    [config, config.new_client, config.new_pool(size: 1)].each do |redis|
      store = Frugal::Store.new("app", engine: :redis, redis: redis)
      assert_equal 1, store.update("a") { 1 }
      Backend.new(redis).then { |backend| load(backend, turn: false) || backend.create(ID, "1", 1, 100) }
      store.close
    end
    assert_equal "1", load(Backend.new(config), turn: false).bytes
  end

  def test_wrong_options
    urls = @cluster.urls
    { { cluster: ["nonsense://a"] } => /cluster: .*scheme/, { cluster: [] } => /empty/,
      { cluster: urls, url: "redis://a" } => /one of/, { cluster: urls, sentinels: [] } => /one of/,
      { sentinels: [{ host: "a" }] } => /name/, { cluster: urls, wait: -1 } => /wait: must be/,
      { cluster: urls, store: "a{b" } => /braces/ }.each do |redis, message|
      error = assert_raises(Frugal::UsageError, redis.inspect) { Backend.new(redis) }
      assert_match message, error.message
    end
  end

  def test_without_the_gem
    result = run_ruby("-e", <<~RUBY)
      require "#{File.expand_path("../support/store_gems", __dir__)}"
      $LOAD_PATH.reject! { |folder| folder.include?("redis-cluster-client") }
      require "frugal/store"
      Frugal::Store.new("app", engine: :redis, redis: { cluster: ["redis://127.0.0.1"] }) rescue puts $!.message
    RUBY
    assert_includes result.out, 'add gem "redis-cluster-client", "~> 0.17" to the Gemfile'
  end

  # -- the old name, which is in another slot --

  def test_a_session_under_its_old_name
    make_old
    stored = load
    assert_moved
    assert_equal true, save(stored, "1")
    assert_includes 50_000..100_000, @redis.call("PTTL", key("session"))
    assert_equal "1", load.bytes
  end

  def test_many_requests_move_it_once
    make_old
    backends = Array.new(8) { backend(lock_wait: 100) }
    threads = backends.map do |other|
      Thread.new { load(other).then { |mine| save(mine, (mine.bytes.to_i + 1).to_s, other) } }
    end
    threads.each(&:join)
    assert_equal "8", value
    assert_moved
  end

  # A request did not find the new name, and then another one has moved the session.
  def test_a_move_in_the_middle_of_a_load
    make_old
    names = @backend.instance_variable_get(:@names)
    other = backend
    bring = names.method(:bring)
    names.define_singleton_method(:bring) { |digest| other.load(ID, false) && bring.call(digest) }
    assert_equal "0", load.bytes
  end

  # A request was killed after it had copied the session, or before.
  def test_a_move_that_was_interrupted
    make_old
    @redis.call("SET", "#{key("queue")}:moving", "of another one", "PX", 100)
    assert_equal "0", load(turn: false).bytes
    make_old
    @redis.call("COPY", old, old + "2")
    @redis.call("RESTORE", key("session"), 50_000, @redis.call("DUMP", old).b)
    assert_equal true, @backend.delete(ID)
    assert_nil load, "a logout ends both"
  end

  # A request that was slow to copy the session does not bring it back after a logout.
  def test_a_logout_during_a_move
    make_old
    names = @backend.instance_variable_get(:@names)
    middle = names.method(:found)
    backend = @backend
    calls = 0
    names.define_singleton_method(:found) do |digest|
      middle.call(digest).tap { backend.delete(ID) if (calls += 1) == 2 }
    end
    assert_nil load
    assert_empty @redis.call("KEYS", "*session*")
  end

  # -- a cluster behind one address --

  def test_a_client_that_does_not_know_of_the_cluster
    make_old
    plain = Backend.new("#{@cluster.urls[0]}?store=#{@name}", lock_wait: 100)
    stored = load(plain)
    save(stored, "1", plain)
    assert_equal "1", value
    assert_equal true, plain.delete(ID)
    assert_empty @redis.call("KEYS", "*session*")
  end

  # -- wait: --

  def test_replicas_that_are_not_there
    careful = backend(wait: 1, timeout: 0.3)
    stored = load
    [-> { careful.create("b", "1", 1, 100) }, -> { save(stored, "1", careful) }, -> { careful.delete(ID) }].each do |change|
      error = assert_raises(Frugal::Session::Unavailable, &change)
      assert_match(/saved it, but only 0 of 1 replicas/, error.message)
    end
    assert_nil load, "it is done nevertheless"
  end

  private

  def backend(lock_wait: 5, **redis) = Backend.new({ cluster: @cluster.urls, store: @name, **redis }, lock_wait: lock_wait)

  def old = "frugal:{#{@name}}:session:#{DIGEST}"

  def assert_moved
    assert_equal "", @redis.call("GET", old)
    assert_includes 0..10_000, @redis.call("PTTL", old)
  end

  def make_old
    @redis.call("SET", old, Envelope.pack("0", 1, 100, "a" * 16), "PX", 60_000)
    @redis.call("DEL", key("session"))
  end
end
