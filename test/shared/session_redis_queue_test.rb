# frozen_string_literal: true

require "timeout"
require_relative "../support/redis_sessions"
require_relative "../support/fiber_scheduler"
require_relative "../support/lossy_proxy"

# The requests of one session that wait for its turn on a Redis server.
class SessionRedisQueueTest < RedisSessions
  def setup
    super
    @backend = backend(lock_wait: 100)
  end

  def test_first_come_first_served
    stored = load
    order = Queue.new
    waiters = Array.new(6) do |number|
      waiter do |mine|
        order << number
        save(mine, "#{mine.bytes},#{number}")
      end
    end
    save(stored, "first")
    waiters.each(&:join)
    assert_equal [0, 1, 2, 3, 4, 5], Array.new(6) { order.pop }
    assert_equal "first,0,1,2,3,4,5", value
    assert_equal %w[done session], keys
    assert_includes 1..10_000, @redis.call("PTTL", key("done"))
  end

  # A turn that is passed on costs three round trips: to ask, to wait, to ask again. If that takes longer than 0.2 s,
  # the request has asked once more.
  def test_round_trips
    counting = backend({ url: "#{RedisServer.shared.url}?store=#{@name}", middlewares: [Trips] }, lock_wait: 100)
    load(counting).then { |stored| save(stored, "1", counting) } # the server has the scripts
    assert_equal(2, trips { load(counting).then { |stored| save(stored, "1", counting) } })
    found = Array.new(20) do
      stored = load
      trips do
        waiter(counting).tap { save(stored, "1") }.value.then { |mine| save(mine, "2", counting) }
      end
    end
    assert_equal 4, found.min
    assert_empty found.select(&:odd?)
  end

  # Nobody gets the turn before those who wait, although it is free for a moment.
  def test_who_comes_later_is_not_served_earlier
    stored = load
    first = waiter { |mine| mine }
    @redis.call("DEL", key("turn"))
    second = Thread.new { load(@backend) }
    wait_until { waiting.positive? && @redis.call("EXISTS", key("turn")).positive? && !first.alive? }
    assert_predicate second, :alive?
    @backend.release(first.value)
    @backend.release(second.value)
    @backend.release(stored)
    assert_equal %w[session], keys
  end

  def test_who_waits_in_vain_leaves_the_queue
    stored = load
    hasty = backend(lock_wait: 0.05)
    events = []
    late = hasty.load(ID, true) { |event, _| events << event }
    assert_equal [:waited], events
    assert_equal %w[session turn], keys
    assert_equal true, save(stored, "1")
    assert_equal(true, hasty.commit(late, "2", 1, 100) { |present| ["#{present}+2", 1] })
    assert_equal "1+2", value
    assert_equal %w[session], keys
  end

  # -- who is gone --

  def test_killed_waiters_hold_up_nobody
    skip "needs fork" unless Process.respond_to?(:fork)

    stored = load
    killed = Array.new(3) { waiting_process }
    alive = waiter
    kill(*killed)
    assert_equal 4, waiting
    save(stored, "1")
    assert_equal "1", alive.value.bytes
    @backend.release(alive.value)
    load.then { |again| @backend.release(again) }
    assert_empty keys.grep_v(/\A(session|done|waits|queue.*)\z/)
    assert_empty((keys - %w[session]).select { |kind| @redis.call("PTTL", key(kind)).negative? }, "all that is left expires")
  end

  def test_a_killed_holder_is_replaced_before_others_lose_patience
    skip "needs fork" unless Process.respond_to?(:fork)

    @backend = backend(lock_wait: 10)
    holder = waiting_process(@backend)
    assert_includes 1..4000, @redis.call("PTTL", key("turn"))
    kill(holder)
    assert_equal "0", load.bytes
  end

  [["Timeout", ->(thread) { thread.raise(Timeout::Error) }, Timeout::Error],
   ["Thread#kill", ->(thread) { thread.kill }, nil]].each do |name, interrupt, error|
    define_method("test_#{name}_leaves_nothing_in_the_queue") do
      stored = load
      threads = Array.new(3) { waiter }
      threads.each(&interrupt)
      threads.each { |thread| error ? assert_raises(error) { thread.value } : thread.join }
      assert_equal %w[session turn], keys
      other = waiter
      save(stored, "1")
      assert_equal "1", other.value.bytes
    end
  end

  # The interrupt comes when the server has given a place, or the turn, and the client does not know it yet.
  def test_an_interrupt_before_the_answer
    [->(_) {}, ->(turn) { @backend.send(:end_turn, turn) }].each do |meanwhile|
      stored = load
      late = backend(lock_wait: 100)
      late.define_singleton_method(:read) do |turn|
        super(turn)
        meanwhile.call(stored.handle)
        raise Timeout::Error
      end
      assert_raises(Timeout::Error) { load(late) }
      assert_empty keys - %w[session turn]
      @backend.release(stored)
      assert_equal %w[session], keys
    end
  end

  # As one that was offered the turn and did not come in time: it keeps its place.
  def test_an_offer_that_nobody_accepts
    stored = load
    slow = Backend::Turn.new(DIGEST, "slow")
    assert_equal :held, @backend.send(:read, slow)
    second = waiter
    @backend.release(stored)
    assert_equal "slow", @redis.call("GET", key("turn"))
    assert_equal "0", second.value.bytes, "the offer expires"
    assert_equal :held, @backend.send(:read, slow)
    @backend.release(second.value)
    assert_equal "slow", @redis.call("GET", key("turn"))
    assert_kind_of String, @backend.send(:read, slow)
    assert_equal 0, waiting
  end

  # Who asks late on a busy machine is passed over, and is the next one then.
  def test_who_is_late_keeps_its_place
    stored = load
    late, other = %w[late other].map { |token| Backend::Turn.new(DIGEST, token) }
    [late, other].each { |turn| assert_equal :held, @backend.send(:read, turn) }
    @redis.call("HSET", key("waits"), "late", @redis.call("TIME")[0].to_i * 1000 - 1000)
    @backend.release(stored)
    assert_equal "other", @redis.call("GET", key("turn"))
    @backend.send(:end_turn, other)
    assert_equal 0, @redis.call("EXISTS", key("turn")), "all are late"
    assert_equal 1, @redis.call("LLEN", "#{key("queue")}:late")
    assert_kind_of String, @backend.send(:read, late)
    assert_equal 0, waiting
  end

  # -- a session that is gone after the wait --

  def test_deleted_while_one_waited
    stored = load
    others = Array.new(3) { waiter }
    @backend.delete(ID)
    assert_equal [:deleted] * 3, others.map(&:value)
    assert_equal false, save(stored, "1")
    assert_empty keys
    assert_nil load
  end

  def test_deleted_while_one_waited_in_vain
    load
    events = []
    hasty = backend(lock_wait: 0.2)
    thread = Thread.new { hasty.load(ID, true) { |event, _| events << event } }
    wait_until { waiting == 1 }
    @redis.call("DEL", key("session"))
    assert_equal :deleted, thread.value
    assert_equal %w[turn], keys
  end

  # -- connections --

  # Requests that wait use none of the connections that the holder needs.
  def test_a_pool_of_one_connection
    pool = RedisClient.config(url: RedisServer.shared.url).new_pool(size: 1)
    @backend = Backend.new(pool, lock_wait: 100)
    @name = "sessions"
    @backend.create(ID, "0", 1, 100)
    stored = load
    others = Array.new(3) { waiter { |mine| save(mine, "#{mine.bytes}+") } }
    save(stored, "1")
    others.each(&:join)
    assert_equal "1+++", value
  ensure
    @backend&.delete(ID)
  end

  # A process forks while one of its threads waits.
  def test_a_fork_during_a_wait
    skip "needs fork" unless Process.respond_to?(:fork)

    stored = load
    thread = waiter { |mine| save(mine, "#{mine.bytes},parent") }
    child = fork do
      load(@backend).then { |mine| save(mine, "#{mine.bytes},child") }
    ensure
      exit!
    end
    wait_until { waiting == 2 }
    save(stored, "1")
    thread.join
    Process.wait(child)
    assert_equal "1,parent,child", value
  end

  # The fibers of one thread wait for each other.
  def test_fibers_of_a_scheduler
    skip "this Ruby has no fiber scheduler" unless Fiber.respond_to?(:set_scheduler)

    order = []
    thread = Thread.new do
      Fiber.set_scheduler(FiberScheduler.new)
      3.times do |number|
        Fiber.schedule do
          stored = load
          order << number
          sleep 0.02
          save(stored, "#{stored.bytes}#{number}")
        end
      end
    end
    assert thread.join(100), "the fibers wait for ever"
    # Each has a connection of its own, so the server may hear them in any order.
    assert_equal ["0#{order.join}", [0, 1, 2]], [value, order.sort]
  end

  # A user that may not use BLPOP, or a proxy that does not know it.
  def test_a_server_without_blocking_commands
    @redis.call("ACL", "SETUSER", @name, "on", ">secret", "~*", "+@all", "-blpop")
    url = RedisServer.shared.url.sub("//", "//#{@name}:secret@")
    @backend = backend("#{url}?store=#{@name}", lock_wait: 100)
    stored = load
    others = Array.new(3) { |number| waiter { |mine| save(mine, "#{mine.bytes}#{number}") } }
    save(stored, "-")
    others.each(&:join)
    assert_equal "-012", value
  ensure
    @redis.call("ACL", "DELUSER", @name)
  end

  # The rights that docs/sessions.md lists are enough.
  def test_a_user_with_few_rights
    rights = File.read(File.expand_path("../../docs/sessions.md", __dir__))[/`(~frugal:\* [^`]*)`/, 1].split
    @redis.call("ACL", "SETUSER", @name, "on", ">secret", *rights)
    @backend = backend("#{RedisServer.shared.url.sub("//", "//#{@name}:secret@")}?store=#{@name}", lock_wait: 100)
    @redis.call("SET", key("turn"), "foreign")
    stored = load
    others = Array.new(2) { |number| waiter { |mine| save(mine, "#{mine.bytes}#{number}") } }
    @backend.send(:renew, stored.handle, 10)
    save(stored, "-")
    others.each(&:join)
    assert_equal "-01", value
    load
    other = waiter
    assert_equal [true, :deleted], [@backend.delete(ID), other.value]
    @backend.create(ID, "0", 1, 100)
    assert_equal true, @backend.quarantine(load)
  ensure
    @redis.call("ACL", "DELUSER", @name)
  end

  # -- answers that are lost --

  # The script that gave the turn is sent again, with the same token.
  def test_a_lost_answer_to_a_load
    proxied do |proxy, far|
      proxy.lose = /EVALSHA/
      stored = load(far)
      assert_equal 1, proxy.lost
      assert_equal true, save(stored, "1", far)
      assert_equal %w[session], keys
    end
  end

  # Who waits has one place, also if it has asked twice.
  def test_a_lost_answer_to_one_that_waits
    proxied do |proxy, far|
      stored = load
      proxy.lose = /EVALSHA/
      other = waiter(far)
      wait_until { proxy.lost == 1 }
      assert_equal 1, waiting
      save(stored, "1")
      assert_equal "1", other.value.bytes
    end
  end

  # The answer to BLPOP is lost, and what it had taken: the turn has the token.
  def test_a_lost_answer_to_blpop
    proxied do |proxy, far|
      stored = load
      other = waiter(far)
      proxy.lose = /BLPOP/
      save(stored, "1")
      assert_equal "1", other.value.bytes
    end
  end

  # The change was saved, the turn was passed on, and the next one has saved a change, too, before the script is sent again.
  def test_a_lost_answer_to_a_commit_that_others_followed
    stored = load
    turn = stored.handle.dup
    others = Array.new(2) { waiter { |mine| save(mine, (mine.bytes.to_i + 1).to_s) } }
    bytes = Envelope.pack("1", 1, 100, "ab" * 8)
    again = Array.new(2) do
      @backend.send(:swap, turn, stored.sequence, "ab" * 8, bytes, 100).tap { others.each(&:join) }
    end
    assert_equal [true, true], again
    assert_equal "3", value
  end

  # The queue has only a dead one, and there is no memory for another place, or for a turn.
  def test_a_queue_without_memory
    server = start_server
    @redis = client(server)
    @backend = backend("#{server.url}?store=#{@name}", lock_wait: 100)
    @backend.create(ID, "0", 1, 100)
    load.then { |stored| @backend.release(stored) }
    @redis.call("ZADD", key("queue"), 1, "dead")
    @redis.call("CONFIG", "SET", "maxmemory", "1")
    stored = load
    assert_equal "0", stored.bytes
    assert_raises(Frugal::Session::Unavailable) { save(stored, "1") }
    @backend.release(stored)
    @redis.call("CONFIG", "SET", "maxmemory", "0")
    assert_equal true, save(load, "1")
  end

  # -- keys of other programs --

  def test_foreign_keys
    [%w[turn RPUSH x], %w[turn SET x], %w[queue SET x], %w[waits SET x], %w[done SET x]].each do |kind, command, word|
      @redis.call(command, key(kind), word)
      stored = load
      other = waiter { |mine| save(mine, "#{mine.bytes}+") }
      save(stored, "1")
      other.join
      assert_equal "1+", value, kind
      aside = "quarantine:#{kind}"
      assert_includes keys, aside
      assert_operator @redis.call("PTTL", key(aside)), :>, 0
      @redis.call("DEL", *keys.map { |name| key(name) } - [key("session")])
    end
  end

  # The server's clock was set back: what a killed process held would last for hours.
  def test_a_turn_that_lasts_for_hours
    load
    @redis.call("PEXPIRE", key("turn"), 7_200_000)
    assert_equal "0", load.bytes
  end

  # It was set back, and a dead one seems to be alive for hours: it is offered the turn once.
  def test_a_dead_one_with_a_time_in_the_future
    stored = load
    assert_equal :held, @backend.send(:read, Backend::Turn.new(DIGEST, "dead"))
    @redis.call("HSET", key("waits"), "dead", (@redis.call("TIME")[0].to_i + 7200) * 1000)
    others = Array.new(2) { waiter { |mine| save(mine, "#{mine.bytes}+") } }
    save(stored, "1")
    others.each(&:join)
    assert_equal "1++", value
  end

  # -- the turn is renewed --

  def test_a_turn_is_renewed
    stored = load
    @redis.call("PEXPIRE", key("turn"), 500)
    @backend.send(:renew, stored.handle, 50)
    assert_includes 10_000..40_000, @redis.call("PTTL", key("turn"))
    @backend.send(:renew, Backend::Turn.new(DIGEST, "another one"), 1)
    assert_operator @redis.call("PTTL", key("turn")), :>, 10_000
  end

  def test_the_keeper_renews_until_the_turn_has_ended
    renewed = Queue.new
    keeper = Backend::Keeper.new(0.01, 100) { |turn, left| renewed << [turn.token, left] }
    keeper.hold(turn = Backend::Turn.new(DIGEST, "token"))
    2.times { assert_equal "token", renewed.pop[0] }
    assert_operator renewed.pop[1], :<, 100
    thread = keeper.instance_variable_get(:@thread)
    turn.token = nil
    assert thread.join(60), "it ends when there are no turns"
  end

  def test_the_keeper_does_not_renew_for_ever
    keeper = Backend::Keeper.new(0.01, 0.05) { nil }
    keeper.hold(Backend::Turn.new(DIGEST, "token"))
    assert keeper.instance_variable_get(:@thread)&.join(60)
  end

  # -- moved from its old name --

  def test_a_session_under_its_old_name
    @redis.call("RENAME", key("session"), old = "frugal:{#{@name}}:session:#{DIGEST}")
    stored = load
    assert_equal [0, 1], [old, key("session")].map { |name| @redis.call("EXISTS", name) }
    assert_includes 90_000..100_000, @redis.call("PTTL", key("session"))
    assert_equal true, save(stored, "1")
    assert_equal "1", value
  end

  def test_a_session_under_its_old_name_is_deleted
    @redis.call("RENAME", key("session"), "frugal:{#{@name}}:session:#{DIGEST}")
    assert_equal true, @backend.delete(ID)
    assert_empty keys
  end

  private

  def proxied
    load.then { |stored| save(stored, "0") } # the server has the scripts
    proxy = LossyProxy.new(RedisServer.shared.port)
    yield proxy, backend({ url: "#{proxy.url}?store=#{@name}", timeout: 0.5, reconnect_attempts: [0, 0.1] }, lock_wait: 100)
  ensure
    proxy&.stop
  end
end
