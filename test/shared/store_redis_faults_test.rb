# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/redis_case"
require_relative "../support/lossy_proxy"
require "frugal/store"

# The engine :redis with servers that are away, slow, full, read-only or not for this user.
class StoreRedisFaultsTest < RedisCase
  def test_a_server_that_is_away
    server = start_server(aof: true)
    store = open_at(server)
    store["a"] = 1
    server.kill
    [-> { store["a"] }, -> { store["a"] = 2 }, -> { store.keys }].each { |call| assert_unavailable(/cannot be reached/, &call) }
    assert_unavailable(/may have been saved or not/) { store["a"] = 2 }
    server.start
    assert_equal 2, store.update("a") { |value| value + 1 }
  end

  # The answer is lost after the server has done the transaction: it is not done twice.
  def test_lost_answers
    server = start_server
    proxy = LossyProxy.new(server.port)
    store = open_at(proxy)
    store["a"] = 0
    { -> { store.update("a") { |value| value + 1 } } => 1, -> { store.transaction { store["a"] += 10 } } => 11,
      -> { store.delete("a") } => nil, -> { store["a"] = 5 } => 5 }.each do |call, result|
      proxy.lose = /EVALSHA/
      lost = proxy.lost
      call.call
      assert_equal [lost + 1, result], [proxy.lost, store["a"]]
    end
    # The control: a command that is sent again.
    plain = RedisClient.config(port: proxy.port, reconnect_attempts: 2).new_client
    proxy.lose = /INCR/
    assert_equal 2, plain.call("INCR", "plain")
  ensure
    proxy&.stop
  end

  # A transaction that was given up may still be done, but never after the next one of this process.
  def test_a_request_that_arrives_late
    server = start_server
    proxy = LossyProxy.new(server.port)
    store = open_at(proxy, client: { reconnect_attempts: 0 })
    [true, false].each do |followed|
      store["a"] = 0
      proxy.hold = /EVALSHA/
      assert_unavailable(/may have been saved or not/) { store["a"] = "given up" }
      store["a"] = 1 if followed
      assert_match(followed ? /late/ : /saved/, proxy.release)
      assert_equal followed ? 1 : "given up", store["a"]
    end
  ensure
    proxy&.stop
  end

  def test_a_slow_server
    server = start_server
    store = open_at(server, client: { timeout: 0.1, reconnect_attempts: 1 })
    store["a"] = 0
    3.times do |round|
      server.signal(:STOP)
      assert_unavailable(/may have been saved or not/) { store["a"] = "given up" }
      server.signal(:CONT)
      begin
        store["a"] = round
      rescue Frugal::StoreUnavailable
        retry # the machine is slow
      end
      sleep 0.02
      assert_equal round, open_at(server)["a"]
    end
  ensure
    server&.signal(:CONT)
  end

  def test_a_full_server
    server = start_server(maxmemory_policy: "noeviction")
    store = open_at(server)
    store.transaction { store["a"] = 1; store["b"] = "x" * 1000 }
    admin = client(server)
    admin.call("CONFIG", "SET", "maxmemory", 1)
    clock = admin.call("GET", "frugal:{app}:clock")
    [-> { store["a"] = 2 }, -> { store["new"] = 1 }, -> { store.transaction { store.delete("b"); store["a"] = 2 } },
     -> { store.write("a", 2, expires_in: 9) }].each { |call| assert_unavailable(/memory is full.*nothing was changed/, &call) }
    assert_equal [{ "a" => 1, "b" => "x" * 1000 }, clock], [store.each.to_h, admin.call("GET", "frugal:{app}:clock")]
    assert_equal "x" * 1000, store.delete("b") # so that there is memory again
    other = open_at(server)
    seen = []
    store.transaction do
      seen << store["a"]
      other.transaction { %w[a c].each { |key| other.delete(key) } } if seen.size == 1
      seen << store["c"]
    end
    assert_equal [1, nil, nil], seen, "the deletion is noticed although the clock could not be set"
    admin.call("CONFIG", "SET", "maxmemory", 0)
    store["a"] = 1
    admin.call("CONFIG", "SET", "maxmemory", 0)
    store["c"] = 3
    assert_equal({ "a" => 1, "c" => 3 }, open_at(server).each.to_h)
    assert_operator admin.call("GET", "frugal:{app}:clock"), :>, clock
  end

  def test_a_replica
    primary = start_server(repl_diskless_sync_delay: 0)
    open_at(primary)["a"] = 1
    replica = start_server(replicaof: "127.0.0.1 #{primary.port}")
    store = open_at(replica)
    200.times { store["a"] ? break : sleep(0.02) }
    assert_equal 1, store["a"]
    assert_unavailable(/read-only replica: use the URL of the primary/) { store["a"] = 2 }
    assert_unavailable(/read-only replica/) { store.delete("a") }
    assert_equal [1, 1], [store["a"], open_at(primary)["a"]]
  end

  def test_users
    server = start_server(requirepass: "pass")
    admin = RedisClient.config(url: server.url, password: "pass", timeout: 10).new_client
    admin.call("ACL", "SETUSER", "reader", "on", ">r", "~*", "+@read", "+@connection")
    assert_unavailable(/NOAUTH|user or password/) { open_at(server)["a"] }
    assert_unavailable(/refuses user or password/) { open_at(server, client: { password: "wrong" })["a"] }
    store = open_at(server, client: { password: "pass" })
    store["a"] = 1
    reader = open_at(server, client: { username: "reader", password: "r" })
    assert_equal 1, reader["a"]
    assert_unavailable(/may not do this/) { reader["a"] = 2 }
    assert_equal 1, store["a"]
    with_password = Frugal::Store.new("redis://reader:r@127.0.0.1:#{server.port}/0?store=app", engine: :redis)
    assert_equal [1, "app"], [with_password["a"], with_password.path]
  end

  # As while it loads its data: the server answers that it can do nothing yet.
  def test_a_busy_server
    server = start_server(lua_time_limit: 5)
    store = open_at(server, client: { timeout: 5, reconnect_attempts: Array.new(100, 0.02) })
    hasty = open_at(server, client: { timeout: 5, reconnect_attempts: 0 })
    store["a"] = hasty["b"] = 1
    admin = client(server)
    endless = Thread.new { client(server).call("EVAL", "while true do end", 0) }
    endless.report_on_exception = false
    sleep 0.02 until server.ask("GET", "b").start_with?("-BUSY")
    assert_unavailable(/BUSY/) { hasty["a"] }
    increment = Thread.new { store.update("a") { |value| value + 1 } }
    sleep 0.05
    admin.call("SCRIPT", "KILL")
    assert_equal [2, 2], [increment.value, hasty["a"]]
    assert_raises(RedisClient::CommandError) { endless.value }
  end

  def test_scripts_that_the_server_forgot
    server = start_server
    store = open_at(server)
    store["a"] = 1
    client(server).call("SCRIPT", "FLUSH")
    assert_equal [2, %w[a]], [store.update("a") { |value| value + 1 }, store.keys]
  end

  # The server may evict roots that expire; the others and the index stay.
  def test_evicted_roots
    server = start_server
    store = open_at(server)
    store.write("a", 1, expires_in: 60)
    store["b"] = 1
    client(server).call("DEL", "frugal:{app}:root:sa")
    assert_equal [%w[b], nil], [store.keys, store["a"]]
    store["a"] = 2
    assert_equal [{ "b" => 1, "a" => 2 }, nil], [store.each.to_h, store.ttl("a")]
  end
end
