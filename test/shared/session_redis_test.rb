# frozen_string_literal: true

require "timeout"
require_relative "../support/session_contract"
require_relative "../support/redis_case"

# Sessions on a real Redis server: the contract, and what happens when something is wrong with the server.
class SessionRedisTest < SessionCase
  include SessionContract
  include Stores

  SLOW = { timeout: 0.2, reconnect_attempts: 1 }.freeze

  def setup
    needs(:redis)
    super
    @server = RedisServer.shared
    @name = "test-#{Process.pid}-#{object_id}"
    @redis = RedisClient.config(url: @server.url, timeout: 10).new_client
    @client = Client.new(stack)
  end

  def teardown
    @own&.stop
    super
  end

  def test_round_trips
    trips { %w[/set?a=1 /set?a=0 /read].each { |path| get(path) } } # the scripts are sent for the first time
    { "/read" => 2, "/set?a=2" => 2, "/nothing" => 0 }.each { |path, count| assert_equal count, trips { get(path) }, path }
    @client = Client.new(stack(lock: false), @client.cookie)
    get("/read") # a new connection
    { "/read" => 1, "/set?a=3" => 2 }.each { |path, count| assert_equal count, trips { get(path) }, path }
    @client.cookie = "f" * 64
    { "/read" => 1, "/count" => 2 }.each { |path, count| assert_equal count, trips { get(path) }, path }
  end

  def test_the_keys_and_their_expiry
    @client = Client.new(stack(expire_after: 100))
    get("/set?a=1")
    assert_equal [key("session")], all_keys
    assert_in_delta 100_000, @redis.call("PTTL", all_keys[0]), 20_000
    get("/read", expire_after: nil) # nobody has the turn any more
    assert_equal 1, all_keys.size
  end

  # A process was killed in the middle of a request: others wait until its turn has ended by itself.
  def test_a_turn_of_a_killed_process_ends
    skip "needs fork" unless Process.respond_to?(:fork)

    @client = Client.new(stack(lock_wait: 1))
    get("/set?a=1")
    killer = ->(env) { env["rack.session"]["a"] && Process.kill(:KILL, Process.pid) }
    stopped = Client.new(stack(Rack::Session::Frugal, killer, lock_wait: 5), @client.cookie)
    Process.wait(fork { stopped.get("/") })
    assert_predicate $?, :signaled?
    turn, = all_keys.grep(/:turn\z/)
    assert_includes 1..2000, @redis.call("PTTL", turn), "shorter than lock_wait: 5"
    @redis.call("PEXPIRE", turn, 50)
    assert_empty(counted { assert_includes get("/set?b=2"), "b" })
  end

  # As after a request that has taken longer than its turn lasts.
  def test_a_request_that_has_lost_its_turn
    get("/set?a=1&b=1")
    counts = counted do
      inside("/set?a=2") do |other|
        @redis.call("DEL", *all_keys.grep(/:turn\z/))
        other.get("/set?b=2")
      end
    end
    assert_equal({ merged: 1 }, counts)
    assert_equal({ "a" => "2", "b" => "2" }.to_a, session.sort)
  end

  # Nobody ends a turn that belongs to another request by now: neither at its commit nor at its end.
  def test_a_turn_is_ended_by_its_owner_only
    get("/set?a=1")
    backend = @middleware.backend
    turn = key("turn")
    [->(late) { backend.release(late) }, ->(late) { backend.commit(late, late.bytes, 1, 100) { flunk } }].each do |ending|
      late = backend.load(private_id(@client.cookie), true) { flunk }
      @redis.call("SET", turn, "of another one")
      ending.call(late)
      assert_equal "of another one", @redis.call("GET", turn)
      @redis.call("DEL", turn)
    end
  end

  # Two stores of one server, as two applications have them.
  def test_another_name
    get("/set?a=1")
    @name += "-other"
    assert_equal "{}", Client.new(stack, @client.cookie).get("/read")
  end

  def test_what_redis_may_be
    [@server.url, { url: @server.url, db: 1 }, RedisClient.config(url: @server.url), @redis,
     RedisClient.config(url: @server.url).new_pool(size: 2)].each do |redis|
      @client = Client.new(stack(redis: redis))
      get("/count")
      assert_match(/2/, get("/count"), redis)
      get("/destroy")
    end
    assert_raises(Frugal::UsageError) { stack(redis: 6379) }
    assert_raises(Frugal::UsageError) { stack(redis: "http://a") }
  end

  def test_foreign_values
    @client = Client.new(stack(max_bytes: 1000))
    wrong = [%w[SET], ["x"]], [%w[SET], ["f1#{"0" * 40}"]], [%w[SET], ["x" * 5000]], [%w[RPUSH], ["a"]], [%w[HSET], %w[a b]]
    wrong.each do |command, values|
      @client.cookie = nil
      get("/set?a=1")
      key = all_keys.grep(/:session\z/)[0]
      @redis.call("DEL", key)
      @redis.call(*command, key, *values)
      assert_equal({ quarantined: 1 }, counted { assert_match(/\A\{"n" ?=> ?1\}\z/, get("/count")) })
      aside, = all_keys.grep(/:quarantine/)
      assert_operator @redis.call("PTTL", aside), :>, 0
      @redis.call("DEL", *all_keys)
    end
  end

  # -- a server that is away --

  def test_a_server_that_is_away
    serve_own
    get("/set?a=1")
    @own.kill
    @client.errors = StringIO.new
    Frugal::Session.instance_variable_set(:@counters, Frugal::Session::Counters.new) # the last message is not of this minute
    counts = counted { 3.times { assert_match(/\A\{"n" ?=> ?1\}\z/, get("/count")) } }
    assert_equal({ not_saved: 3 }, counts)
    assert_nil @client.response["set-cookie"], "the client keeps its session"
    assert_match(/\Afrugal: a session cannot be read: the Redis server .* cannot be used: it cannot be reached.*\n\z/, @client.errors.string)
    assert_equal 1, @client.errors.string.lines.size, "one message a minute"
    new = Client.new(stack(redis: { url: @url, **SLOW }))
    assert_equal 1, counted { new.get("/count") }[:not_saved]
    assert_nil new.cookie
    @own.start
    assert_equal "{\"n\"=>1}", get("/count").delete(" "), "it lost its data, and works again"
  end

  # The server goes away while the application works, and returns with its data.
  def test_a_server_that_goes_away_in_a_request
    serve_own(aof: true)
    get("/set?a=1")
    killer = Client.new(stack(Rack::Session::Frugal, lambda { |env|
      env["rack.session"]["a"] = "2"
      @own.kill
      [200, {}, []]
    }, redis: { url: @url, **SLOW }), @client.cookie)
    assert_equal({ not_saved: 1 }, counted { killer.get("/") })
    assert_equal 200, killer.response.status
    @own.start
    @client = Client.new(stack(redis: { url: @url, **SLOW }, lock_wait: 0.05), @client.cookie)
    assert_includes get("/read"), "1"
  end

  def test_a_server_that_does_not_answer
    serve_own
    get("/set?a=1")
    @own.signal(:STOP)
    assert_operator counted { assert_equal "{}", get("/read") }[:not_saved], :>=, 1
    @own.signal(:CONT)
    assert_includes get("/read"), "1"
  ensure
    @own&.signal(:CONT)
  end

  # A request is interrupted while it waits for the server. The answer, which comes later, is nobody else's.
  def test_an_interrupted_request_leaves_no_answer_to_the_next_one
    serve_own
    get("/set?a=of-ann")
    bob = Client.new(@client_stack).tap { |client| client.get("/set?a=of-bob") }
    10.times do
      @own.signal(:STOP)
      assert_raises(Timeout::Error) { Timeout.timeout(0.02) { get("/read") } }
      @own.signal(:CONT)
      assert_includes bob.get("/read"), "of-bob"
    end
    assert_includes get("/read"), "of-ann"
  ensure
    @own&.signal(:CONT)
  end

  def test_a_server_without_memory
    serve_own
    get("/set?a=1")
    own = RedisClient.config(url: @url, timeout: 10).new_client
    own.call("CONFIG", "SET", "maxmemory", "1")
    assert_empty(counted { assert_includes get("/read"), "1" })
    assert_equal({ not_saved: 1 }, counted { get("/set?a=2") })
    assert_equal 200, @client.response.status
    assert_equal({ not_saved: 1 }, counted { Client.new(stack(redis: { url: @url, **SLOW })).get("/count") })
    own.call("CONFIG", "SET", "maxmemory", "0")
    assert_includes get("/set?b=2"), "1"
  end

  def test_a_replica
    serve_own
    get("/set?a=1")
    RedisClient.config(url: @url, timeout: 10).new_client.call("REPLICAOF", "127.0.0.1", "1")
    assert_empty(counted { assert_includes get("/read"), "1" })
    assert_equal({ not_saved: 1 }, counted { get("/set?a=2") })
    assert_raises(Frugal::Session::Unavailable) { @middleware.backend.delete(private_id(@client.cookie)) }
  end

  # A logout works where the server has no memory, and where its user may not delete keys: by a value that ends at once.
  def test_a_logout_that_the_server_makes_difficult
    serve_own
    own = RedisClient.config(url: @url, timeout: 10).new_client
    own.call("ACL", "SETUSER", "app", "on", ">secret", "~*", "+@all", "-unlink")
    [{ url: @url }, { url: @url, username: "app", password: "secret" }].each do |redis|
      @client = Client.new(stack(redis: { **redis, **SLOW }))
      get("/set?a=1")
      own.call("CONFIG", "SET", "maxmemory", "1") unless redis[:username]
      assert_equal true, @middleware.backend.delete(private_id(@client.cookie))
      own.call("CONFIG", "SET", "maxmemory", "0")
      sleep 0.01
      assert_equal "{}", get("/read")
    end
  end

  # The answer to a commit is lost, and the script is sent again: it saves once, and what others saved in between stays.
  def test_a_script_that_runs_twice
    get("/set?a=1")
    backend = @middleware.backend
    id = private_id(@client.cookie)
    stored = backend.load(id, true) { flunk }
    turn = stored.handle.dup
    value = Frugal::Session::Envelope.pack('{"a":"2"}', 1, 100, "ab" * 8)
    2.times { assert_equal true, backend.send(:swap, turn, stored.sequence, "ab" * 8, value, 100) }
    get("/set?b=1")
    assert_kind_of String, backend.send(:swap, turn, stored.sequence, "ab" * 8, value, 100), "not over a later value"
    assert_equal %w[a b], session.keys.sort
  end

  private

  def place
    url = @server ? "#{@server.url}?store=#{@name}" : "redis://127.0.0.1:1/0"
    { redis: { url: url, timeout: 10, middlewares: [RedisCase::Trips] }, lock_wait: 60 }
  end

  # A server that a test may kill; @client uses it.
  def serve_own(**options)
    @own = RedisServer.new(**options).start
    @url = "#{@own.url}?store=#{@name}"
    @client = Client.new(@client_stack = stack(redis: { url: @url, **SLOW }, lock_wait: 1))
  end

  def trips(&block) = RedisCase::Trips.during(&block)

  def key(kind, digest = digest_of(@client.cookie)) = "frugal:#{@name}:{#{digest}}:#{kind}"

  def all_keys = @redis.call("KEYS", "frugal:*#{@name}*").sort

  def sessions = all_keys.grep(/:session\z/)

  def kept = sessions.map { |key| key[/\{(\h+)\}/, 1] }

  def everything = sessions.map { |key| "#{key}#{@redis.call("GET", key)}" }.join

  def state = sessions.map { |key| [key, @redis.call("GET", key)] }

  def age(seconds)
    key, = sessions
    @redis.call("PEXPIRE", key, ((lifetime(key) - seconds) * 1000).to_i)
  end

  def unused = lifetime(sessions[0]) - (@redis.call("PTTL", sessions[0]) / 1000.0)

  def lifetime(key) = Frugal::Session::Envelope.unpack(@redis.call("GET", key)).lifetime

  def record(digest) = Frugal::Session::Envelope.unpack(@redis.call("GET", key("session", digest)))

  def plant(digest, bytes, format)
    @redis.call("SET", key("session", digest), Frugal::Session::Envelope.pack(bytes, format, 100, "0" * 16))
  end

  def move(digest, other)
    @redis.call("RENAME", *[digest, other].map { |name| key("session", name) })
  end
end
