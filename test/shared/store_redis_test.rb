# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/redis_case"
require "frugal/store"

# The engine :redis of Frugal::Store: names, clients, and values that others wrote.
class StoreRedisTest < RedisCase
  URL_OF = ->(name) { "#{RedisServer.shared.url}?store=#{name}" }

  def test_names_and_clients
    config = RedisClient.config(url: RedisServer.shared.url)
    pool = config.new_pool(size: 2)
    one = open_store(:redis_json, "a b/c")
    one["key"] = 1
    stores = [config, config.new_client, pool, RedisServer.shared.url, { port: RedisServer.shared.port }]
             .map { |redis| Frugal::Store.new("a b/c", engine: :redis, redis: redis) }
    stores << Frugal::Store.new(URL_OF["a+b/c"], engine: :redis)
    stores << Frugal::Store.new(URL_OF["a+b/c"], engine: :redis, redis: { timeout: 2 })
    stores.each_with_index do |store, index|
      assert_equal ["a b/c", "#<Frugal::Store a b/c>"], [store.path, store.inspect]
      assert_equal index + 2, store.update("key") { |value| value + 1 }
      2.times { store.close }
      assert_equal index + 2, store["key"]
    end
  ensure
    pool&.close
  end

  def test_the_server_of_the_environment
    program = "require 'frugal/store'; Frugal::Store.new('environment', engine: :redis)['a'] = 1"
    folders = StoreGems::LIBRARIES.flat_map { |folder| ["-I", folder] }
    result = run_ruby(*folders, "-e", program, env: { "REDIS_URL" => RedisServer.shared.url })
    assert result.success?, result
    assert_equal 1, open_store(:redis_json, "environment")["a"]
  end

  def test_without_the_gem
    skip "redis-client is one of the gems of this Ruby" if Gem::Specification.any? { |gem| gem.name == "redis-client" }
    program = "require 'frugal/store'; Frugal::Store.new('a', engine: :redis)"
    result = run_ruby("-e", program)
    refute result.success?
    assert_match(/needs the gem redis-client, .*Gemfile/, result.err)
  end

  def test_misuse
    { "" => {}, "a{b" => {}, "redis://127.0.0.1/0" => {}, "redis://127.0.0.1:x/?store=a" => {},
      "a" => { redis: 1 }, "b" => { redis: "http://localhost" }, "c" => { redis: { no: 1 } },
      "d" => { durability: :durable }, "e" => { secret: "short" }, "f" => { attempts: 0 },
      "redis://127.0.0.1/0?store=a" => { redis: "redis://127.0.0.1/1" } }.each do |name, options|
      assert_raises(Frugal::UsageError, name) { Frugal::Store.new(name, engine: :redis, **options) }
    end
    error = assert_raises(Frugal::UsageError) { Frugal::Store.new("redis://:pa55word@127.0.0.1:x/?store=a", engine: :redis) }
    refute_match(/pa55word/, error.full_message.lines.first)
    assert_match(/option of engine: :redis/,
                 assert_raises(Frugal::UsageError) { Frugal::Store.new(path("a"), secret: "s" * 20) }.message)
  end

  def test_stores_on_one_server_are_apart
    names = [tree, "#{tree}:root", "#{tree}:", tree.chop]
    stores = names.map { |name| open_store(:redis_json, name) }
    stores.each_with_index { |store, index| store["key"] = index }
    assert_equal Array.new(4) { |index| [index, %w[key]] }, stores.map { |store| [store["key"], store.keys] }
    stores.first.delete("key")
    assert_equal [nil, 1], stores.first(2).map { |store| store["key"] }
  end

  def test_the_server_removes_expired_roots_itself
    store = open_store(:redis_json)
    store.write("a", 1, expires_in: 60)
    root = "frugal:{#{store.path}}:root:sa"
    assert_includes 59_000..60_000, client.call("PTTL", root)
    store.expire("a", 0.001)
    sleep 0.005
    assert_equal 0, client.call("EXISTS", root)
    [-> { store["b"] = 2 }, -> { store.expire("b", nil) }, -> { store.transaction { store["b"]; store["b"] = 1 } },
     -> { store.delete("b") }].each do |call|
      store.write("b", 1, expires_in: 60)
      assert_equal %w[sb], client.call("ZRANGE", "frugal:{#{store.path}}:expiry", 0, -1)
      call.call
      assert_operator client.call("PTTL", "frugal:{#{store.path}}:root:sb"), :<, 0
      assert_equal 0, client.call("ZCARD", "frugal:{#{store.path}}:expiry")
    end
  end

  def test_another_serializer
    kinds = HERE.select { |kind| redis?(kind) }
    kinds.permutation(2) do |one, other|
      name = path("#{one} #{other}")
      open_store(one, name)["a"] = 1
      error = assert_raises(Frugal::UsageError, Frugal::CorruptStore) { open_store(other, name)["a"] }
      assert_match(/is a store of|with a secret|not signed/, error.message)
    end
    assert_operator kinds.size, :>, 2
  end

  # Nothing is unmarshalled unless the program asked for it.
  def test_planted_values
    planted = "0" * 32 + "-m".b + Marshal.dump("planted")
    { redis_json: Frugal::UsageError, redis_secret: Frugal::CorruptStore }.each do |kind, error|
      store = open_store(kind)
      store["a"] = 1
      client.call("SET", "frugal:{#{store.path}}:root:sa", planted)
      assert_raises(error) { store["a"] }
      assert_raises(error) { store.update("a") { 2 } }
      store["a"] = 2
      assert_equal 2, store["a"]
      ["", "text", "0" * 34].each do |bytes|
        client.call("SET", "frugal:{#{store.path}}:root:sa", bytes)
        assert_raises(Frugal::CorruptStore, bytes) { store["a"] }
      end
    end
  end

  def test_signed_values
    store = open_store(:redis_secret)
    store["a"] = [:admin]
    store["b"] = [:guest]
    root = "frugal:{#{store.path}}:root:s"
    bytes = client.call("GET", "#{root}a").b
    changed = bytes.dup.tap { |copy| copy.setbyte(-1, copy.getbyte(-1) ^ 1) }
    { "b" => bytes, "a" => changed }.each do |key, planted|
      client.call("SET", "#{root}#{key}", planted)
      assert_match(/not written with this secret/, assert_raises(Frugal::CorruptStore) { store[key] }.message)
    end
    client.call("SET", "#{root}a", bytes[0, 40])
    assert_raises(Frugal::CorruptStore) { store["a"] }
    assert_raises(Frugal::CorruptStore) { open_store(:redis_secret, secret: "another secret of the tests, of 32 bytes")["a"] }
    assert_raises(Frugal::UsageError) { store[1.5] }
    new = "the next secret of the tests, of 32 bytes"
    changed = open_store(:redis_secret, secret: [new, Stores::KINDS[:redis_secret][:secret]])
    store["c"] = [:owner]
    changed["d"] = changed["c"]
    assert_equal [:owner], open_store(:redis_secret, secret: new)["d"]
    client.call("ZADD", "frugal:{#{store.path}}:index", 0, "d#{Marshal.dump("planted")}")
    client.call("SET", "frugal:{#{store.path}}:root:d#{Marshal.dump("planted")}", bytes)
    assert_match(/another program/, assert_raises(Frugal::CorruptStore) { store.keys }.message)
  end

  # A key of another type is found before anything is written.
  def test_keys_of_others
    %w[root:sa clock keys index expiry].each do |name|
      store = open_store(:redis_json, path(name))
      store["b"] = 1
      key = "frugal:{#{store.path}}:#{name}"
      client.call("DEL", key)
      client.call("HSET", key, "field", 1)
      error = assert_raises(Frugal::CorruptStore, name) { store.transaction { store["c"] = 1; store["a"] = 1 } }
      assert_match(/another program/, error.message)
      assert_equal [1, nil], store.values_at("b", "c")
      client.call("DEL", key)
      store["a"] = 1
      assert_equal [1, 1], store.values_at("a", "b")
    end
    store = open_store(:redis_json, path("text"))
    client.call("SET", "frugal:{#{store.path}}:clock", "noon")
    assert_raises(Frugal::CorruptStore) { store["a"] = 1 }
  end
end
