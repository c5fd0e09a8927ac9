# frozen_string_literal: true

require "json"
require_relative "session_case"
require_relative "store_gems"

# What each place of sessions must do: the tests of all of them, in a subclass of SessionCase. A place has these methods:
#
# [place]            the option of the middleware
# [kept]             the digests of all sessions
# [everything]       a String of all names and bytes that are kept
# [state]            a value that changes with each write
# [age(seconds)]     makes the only session look unused for so long
# [unused]           for how many seconds the only session was not used
# [record(digest)]   an object with the `bytes` and the `format` of a session
# [plant(digest, bytes, format)]  replaces a session
# [move(digest, other)]           gives a session the place of another one
module SessionContract
  Client = SessionCase::Client
  SECRET = "s" * 32

  # Loading an object of this class leaves a trace.
  class Planted
    class << self
      attr_accessor :loaded
    end

    def marshal_dump = []

    def marshal_load(_)
      self.class.loaded = true
    end
  end

  def test_a_session
    assert_equal "{\"n\"=>1}", get("/count").delete(" ")
    cookie = @client.cookie
    assert_match(/\A\h{64}\z/, cookie)
    assert_equal "{\"n\"=>2}", get("/count").delete(" ")
    assert_nil @client.response["set-cookie"]
    assert_equal cookie, @client.cookie
    assert_equal [digest_of(cookie)], kept
  end

  def test_the_ids_are_not_kept
    get("/set?a=1")
    assert_includes everything, digest_of(@client.cookie)[2..]
    refute_includes everything, @client.cookie
    refute_includes everything, private_id(@client.cookie)
  end

  # rack-session's Pool also finds a session under its public id, so a program that can read or write the store has the cookies.
  def test_no_fallback_to_the_public_id
    get("/set?a=1")
    cookie = @client.cookie
    move(digest_of(cookie), Frugal::Entries.digest(cookie))
    assert_equal "{}", get("/read")

    pool = Client.new(stack(Rack::Session::Pool), "chosen-by-the-client")
    @middleware.pool["chosen-by-the-client"] = { "a" => "of somebody" }
    assert_includes pool.get("/read"), "of somebody", "the control"
  end

  def test_an_unknown_id_gets_a_fresh_one
    @client.cookie = given = "f" * 64
    get("/count")
    refute_equal given, @client.cookie
    assert_equal [digest_of(@client.cookie)], kept
  end

  def test_hostile_ids
    ["", "../../etc/passwd", "..%2f..%2fx", "a%00b", "x" * 10_000, "%FF%FE%80", "%00", ".", "/etc/passwd", "a b", "%0d%0aset-cookie:x",
     "\xC3\xA9\xFF".b, "{}", "[]", "x" * 257].each do |id|
      @client.cookie = id
      assert_match(/\A\{"n" ?=> ?1\}\z/, get("/count"), id)
      assert_match(/\A\h{64}\z/, @client.cookie)
    end
    assert_equal 15, kept.size
    assert_empty(kept.grep_v(/\A\h{64}\z/))
  end

  # With cookie_only: false, a parameter may be a Hash or an Array.
  def test_an_id_that_is_no_string
    @client = Client.new(stack(cookie_only: false))
    @client.get("/count?rack.session[a]=1")
    assert_equal 200, @client.response.status
    @client.get("/count?rack.session[]=1")
    assert_equal 200, @client.response.status
  end

  def test_nothing_is_written_for_a_session_that_is_not_used
    assert_equal "not loaded", get("/nothing")
    assert_equal "not loaded", get("/read")
    @client.cookie = "f" * 64
    assert_equal "{}", get("/read")
    assert_nil @client.response["set-cookie"]
    assert_empty kept
  end

  def test_an_unchanged_session_is_not_written
    get("/set?a=1")
    before = state
    sleep 0.02
    assert_includes get("/set?a=1"), "1"
    assert_includes get("/read"), "1"
    assert_equal before, state
  end

  def test_drop
    get("/set?a=1")
    get("/read", drop: true)
    assert_empty kept
    assert_equal "{}", get("/read")
  end

  def test_renew
    get("/set?a=1")
    old = @client.cookie
    get("/set?b=2", renew: true)
    refute_equal old, @client.cookie
    assert_equal [digest_of(@client.cookie)], kept
    assert_equal %w[a b], get("/read").scan(/[ab]/)
    assert_equal "{}", Client.new(stack, old).get("/read")
  end

  def test_renew_without_a_session
    get("/set?b=2", renew: true)
    assert_includes get("/read"), "b"
    assert_equal 1, kept.size
  end

  def test_defer
    get("/set?a=1", defer: true)
    assert_nil @client.response["set-cookie"]
    assert_equal 1, kept.size
    get("/set?a=1", defer: true, renew: true)
    refute_nil @client.response["set-cookie"]
  end

  def test_skip
    get("/set?a=1")
    get("/set?a=2", skip: true)
    assert_nil @client.response["set-cookie"]
    assert_includes get("/read"), "1"
    Client.new(stack).tap { |other| other.get("/set?a=1", skip: true) }
    assert_equal 1, kept.size
  end

  def test_destroy_and_clear
    get("/set?a=1")
    old = @client.cookie
    get("/destroy")
    assert_empty kept
    @client.cookie = old
    assert_equal "{}", get("/read")
    get("/set?a=1")
    get("/clear")
    assert_equal "{}", get("/read")
  end

  def test_keys_are_strings_and_nil_is_not_kept
    @client = Client.new(stack(Rack::Session::Frugal, lambda { |env|
      env["rack.session"].update(a: :symbol, b: nil, "c" => { d: 1.5 }) if env["PATH_INFO"] == "/set"
      [200, {}, [env["rack.session"].to_hash.to_a.inspect]]
    }))
    @client.get("/set")
    env = Rack::MockRequest.env_for("/", "HTTP_COOKIE" => "rack.session=#{@client.cookie}")
    assert_equal [["a", "symbol"], ["c", { "d" => 1.5 }]].inspect, @middleware.call(env)[2].to_enum.to_a.join
  end

  def test_expiry
    @client = Client.new(stack(expire_after: 100))
    get("/set?a=1")
    assert_match(/expires/i, @client.response["set-cookie"])
    age(101)
    assert_equal "{}", get("/read")
    get("/set?a=1")
    age(99)
    assert_includes get("/read"), "1"
  end

  # A session is in use as long as it is read, but its time is written only after an eighth of its life.
  def test_the_time_of_use
    @client = Client.new(stack(expire_after: 800))
    get("/set?a=1")
    [[50, false], [99, false], [101, true], [799, true], [-50, false], [-101, true]].each do |seconds, touched|
      age(seconds)
      assert_includes get("/read"), "1"
      assert_in_delta touched ? 0 : seconds, unused, 20, seconds
    end
  end

  def test_expire_after_of_one_session
    @client = Client.new(stack(expire_after: 100))
    get("/set?a=1", expire_after: 1000)
    age(500)
    assert_includes get("/read", expire_after: 1000), "1"
  end

  def test_without_expire_after_a_session_is_kept_for_30_days
    get("/set?a=1")
    age(29 * 86_400)
    assert_includes get("/read"), "1"
    age((30 * 86_400) + 1)
    assert_equal "{}", get("/read")
  end

  # A second commit in one request, as some frameworks do, saves to the same session.
  def test_two_commits_in_one_request
    get("/set?a=1")
    [@client.cookie, nil].each do |cookie|
      client = Client.new(stack(Rack::Session::Frugal, lambda { |env|
        env["rack.session"]["a"] = "2"
        @middleware.commit_session(Rack::Request.new(env), Rack::Response::Raw.new(200, {}))
        env["rack.session"]["a"] = "3"
        [200, {}, []]
      }), cookie)
      client.get("/")
      assert_equal cookie, client.cookie if cookie
      assert_includes Client.new(stack, client.cookie).get("/read"), "3"
    end
    assert_equal 2, kept.size
  end

  # Two session middlewares in one stack have sessions of their own.
  def test_a_session_within_a_session
    inner = Rack::Session::Frugal.new(lambda { |env|
      env["rack.session"]["inner"] = env["rack.session"]["inner"].to_i + 1
      [200, {}, [env["rack.session"]["inner"].to_s]]
    }, **place, key: "inner")
    outer = Rack::Session::Frugal.new(lambda { |env|
      session = env["rack.session"]
      session["outer"] = session["outer"].to_i + 10
      answer = inner.call(env.merge("rack.session" => nil))
      session["outer"] += 1
      answer
    }, **place)
    request = Rack::MockRequest.new(outer)
    cookies = request.get("/")["set-cookie"].then { |set| Array(set).join("\n").scan(/^(\S+?=\h+)/).join("; ") }
    assert_equal "2", request.get("/", "HTTP_COOKIE" => cookies).body
    assert_equal 2, kept.size
  end

  # -- requests at the same time --

  def test_without_locks_changes_are_merged_by_key
    @client = Client.new(stack(lock: false))
    get("/set?a=1&b=1&c=1")
    counts = counted do
      inside("/set?a=2&b=1&d=4", lock: false) { |other| assert_includes other.get("/set?b=2&a=1"), "2" }
    end
    assert_equal({ merged: 1 }, counts)
    assert_equal({ "a" => "2", "b" => "2", "c" => "1", "d" => "4" }.to_a, session.sort)
  end

  def test_without_locks_no_change_of_many_threads_is_lost
    get("/set?a=1")
    shared = stack(lock: false)
    counts = counted do
      Array.new(12) do |thread|
        Thread.new { 10.times { |n| Client.new(shared, @client.cookie).get("/set?k#{thread}=#{n}") } }
      end.each(&:join)
    end
    assert_empty counts.except(:merged)
    assert_equal ["9"] * 12, session.values_at(*Array.new(12) { |thread| "k#{thread}" })
  end

  def test_a_deleted_key_stays_deleted
    @client = Client.new(stack(lock: false))
    get("/set?a=1&b=1")
    inside("/delete?a=", lock: false) { |other| other.get("/set?b=2") }
    assert_equal({ "b" => "2" }, session)
  end

  # After a logout, the session stays deleted, although an older request still saves it.
  def test_a_session_that_is_deleted_meanwhile_stays_deleted
    @client = Client.new(stack(lock: false))
    %w[/destroy /drop /renew].each do |way|
      @client.cookie = nil
      get("/set?a=1")
      counts = counted do
        inside("/set?b=2", lock: false) { |other| way == "/destroy" ? other.get(way) : other.get("/set?c=1", way[1..].to_sym => true) }
      end
      assert_equal({ not_saved: 1 }, counts, way)
      assert_equal "{}", get("/read")
    end
  end

  # An application that calls itself with the same cookie, and waits for the answer: the inner request waits only for
  # `lock_wait:`, and both are merged.
  def test_a_request_within_a_request_of_the_same_session
    skip "there are no turns" unless turns?

    @client = Client.new(stack(lock_wait: 0.05))
    get("/set?a=1")
    counts = counted { inside("/set?b=2", lock_wait: 0.05) { |other| assert_includes other.get("/set?c=3"), "3" } }
    assert_equal({ waited: 1, merged: 1 }, counts)
    assert_equal %w[a b c], session.keys.sort
  end

  def test_threads_take_turns
    skip "there are no turns" unless turns?

    count_in_threads(8, 25)
    assert_equal 200, session["n"]
  end

  def test_no_increment_of_eight_processes_is_lost
    skip "needs fork and turns" unless turns? && Process.respond_to?(:fork)

    get("/set?n=0")
    counts_by_children = Array.new(8) do
      in_background do
        client = Client.new(stack, @client.cookie)
        counted { 150.times { client.get("/count") } }
      end
    end.map(&:call)
    assert_equal [{}], counts_by_children.uniq
    assert_equal 1200, session["n"]
  end

  # A page loads several things at once, one of which is the login. What waits for it must not log the user out: its answer
  # may come last.
  def test_a_request_that_waits_while_the_id_is_renewed
    skip "there are no turns" unless turns?

    get("/set?a=1")
    %w[/count /read].each do |path|
      old = @client.cookie
      waiting, counts = waiting_during(path) { |client| client.get("/set?user=7", renew: true) }
      assert_equal "{}", waiting.response.body.delete(" ").sub('"n"=>1', ""), path
      assert_nil waiting.response["set-cookie"], path
      assert_equal({ not_saved: path == "/count" ? 1 : nil }.compact, counts, path)
      refute_equal old, @client.cookie
      assert_includes get("/read"), "user"
      assert_equal [digest_of(@client.cookie)], kept
    end
  end

  # The waiting request logs in itself.
  def test_two_logins_of_one_session_at_once
    skip "there are no turns" unless turns?

    get("/set?a=1")
    waiting, = waiting_during("/set?second=1", renew: true) { |client| client.get("/set?first=1", renew: true) }
    refute_nil waiting.response["set-cookie"]
    assert_includes waiting.get("/read"), "second"
    assert_includes get("/read"), "first"
  end

  def test_a_request_that_waits_during_a_logout
    skip "there are no turns" unless turns?

    get("/set?a=1")
    waiting, = waiting_during("/read") { |client| client.get("/destroy") }
    assert_equal "{}", waiting.response.body
    assert_nil waiting.response["set-cookie"]
    assert_empty kept
  end

  # An id that an attacker has set in a browser leads nowhere after the login, not even for a request that waited for it.
  def test_an_id_of_before_the_login_has_nothing_of_it
    skip "there are no turns" unless turns?

    get("/set?a=1")
    fixed = @client.cookie
    waiting, = waiting_during("/read") { |client| client.get("/set?user=7", renew: true) }
    refute_includes waiting.response.body, "user"
    assert_equal "{}", Client.new(stack, fixed).get("/read")
  end

  # -- the deadline --

  # A request that has waited in vain does not undo what the other one did.
  def test_a_change_that_would_undo_another_one_raises
    skip "there are no turns" unless turns?

    @client = Client.new(stack(lock_wait: 0.05))
    get("/set?n=0")
    error = assert_raises(Frugal::Session::Conflict) do
      inside("/count", lock_wait: 0.05) { |other| assert_includes other.get("/count"), "1" }
    end
    assert_includes error.message, '"n"'
    assert_equal 1, session["n"].to_i
    inside("/count", lock_wait: 0.05, on_conflict: :overwrite) { |other| other.get("/count") }
    assert_equal 2, session["n"].to_i
  end

  def test_counters_are_added_after_the_deadline
    skip "there are no turns" unless turns?

    @client = Client.new(stack)
    get("/count")
    options = { lock_wait: 0.05, counters: [:n] }
    counts = counted { inside("/count", **options) { |other| 3.times { other.get("/count") } } }
    assert_equal 5, session["n"]
    assert_equal({ waited: 3, merged: 1 }, counts)
  end

  def test_on_conflict_has_two_values
    assert_raises(Frugal::UsageError) { stack(on_conflict: :merge) }
  end

  # -- formats --

  def test_a_session_that_is_too_large
    @client = Client.new(stack(max_bytes: 1000))
    get("/set?a=1")
    assert_equal({ not_saved: 1 }, counted { get("/set?a=#{"x" * 1000}") })
    assert_includes get("/read"), "1"
  end

  def test_what_cannot_be_converted
    client = Client.new(stack(Rack::Session::Frugal, lambda { |env|
      env["rack.session"]["a"] = Float::NAN
      [200, {}, []]
    }))
    assert_equal({ not_saved: 1 }, counted { client.get("/") })
    assert_equal 200, client.response.status
  end

  def test_messagepack
    skip "msgpack is not installed" unless StoreGems::AVAILABLE.include?(:messagepack)

    @client = Client.new(stack(serializer: :messagepack))
    get("/set?a=1&b[c]=d")
    assert_equal '{"a"=>"1","b"=>{"c"=>"d"}}', get("/read").delete(" ")
    json = Client.new(stack, @client.cookie)
    assert_equal '{"a"=>"1","b"=>{"c"=>"d"}}', json.get("/read").delete(" ")
  end

  # An application may change its format: the session is written in the new one at its next change.
  def test_a_change_of_the_format
    get("/set?a=1")
    marshal = Client.new(stack(serializer: :marshal, secret: SECRET), @client.cookie)
    assert_equal "{\"a\"=>\"1\",\"n\"=>1}", marshal.get("/count").delete(" ")
    assert_equal 3, record(digest_of(@client.cookie)).format
  end

  def test_marshal_with_a_mac
    app = lambda do |env|
      env["rack.session"]["time"] ||= Time.at(1, 5)
      [200, {}, [env["rack.session"]["time"].inspect]]
    end
    client = Client.new(stack(Rack::Session::Frugal, app, serializer: :marshal, secret: SECRET))
    2.times { assert_equal Time.at(1, 5).inspect, client.get("/") }
    rotated = Client.new(stack(Rack::Session::Frugal, app, serializer: :marshal, secret: ["n" * 32, SECRET]), client.cookie)
    assert_equal Time.at(1, 5).inspect, rotated.get("/")
    assert_empty(counted { rotated.get("/") })
    other = Client.new(stack(serializer: :marshal, secret: "o" * 32), client.cookie)
    assert_equal({ quarantined: 1 }, counted { assert_equal "{}", other.get("/read") })
  end

  # Someone can write to the place, but does not know the secret: a valid entry with Marshal's number, without a MAC, with one of another
  # session, with a changed byte.
  def test_planted_marshal_is_not_loaded
    Planted.loaded = nil
    payload = Marshal.dump({ "a" => Planted.new })
    serializer = Frugal::Session::Serializer.new(:marshal, SECRET)
    ["", "x" * 32, OpenSSL::HMAC.digest("SHA256", "", payload), serializer.dump({}, "another session")[0, 32],
     serializer.dump({ "a" => Planted.new }, "another session")[0, 32]].each do |mac|
      [{ serializer: :marshal, secret: SECRET }, {}].each do |options|
        @client = Client.new(stack(**options))
        get("/set?a=1")
        digest = digest_of(@client.cookie)
        [3, 1, 255, 0].each do |number|
          plant(digest, mac + payload, number)
          assert_equal({ quarantined: 1 }, counted { assert_equal "{}", get("/read") })
        end
      end
    end
    assert_nil Planted.loaded
  end

  def test_a_custom_serializer
    custom = Class.new do
      def dump(hash) = JSON.generate(hash).reverse
      def load(bytes) = JSON.parse(bytes.reverse)
    end.new
    @client = Client.new(stack(serializer: custom))
    get("/set?a=1")
    assert_includes get("/read"), "1"
    assert_equal "{}", Client.new(stack, @client.cookie).get("/read")
  end
end
