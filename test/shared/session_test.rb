# frozen_string_literal: true

require_relative "../support/session_case"

# What rack-session promises of a session store, and what ours adds.
class SessionTest < SessionCase
  def test_a_session
    assert_equal "{\"n\"=>1}", get("/count").delete(" ")
    cookie = @client.cookie
    assert_match(/\A\h{64}\z/, cookie)
    assert_equal "{\"n\"=>2}", get("/count").delete(" ")
    assert_nil @client.response["set-cookie"]
    assert_equal cookie, @client.cookie
    assert_equal [file_of(cookie)], files
  end

  def test_the_public_id_is_not_on_the_disk
    get("/set?a=1")
    seen = Dir.glob("#{dir}/**/*").map { |file| File.file?(file) ? file + File.binread(file) : file }.join
    refute_includes seen, @client.cookie
    refute_includes seen, private_id(@client.cookie)
  end

  # rack-session's Pool also finds a session under its public id, so whoever can read or write the store has the cookies.
  def test_no_fallback_to_the_public_id
    get("/set?a=1")
    cookie = @client.cookie
    public_path = @middleware.backend.entries.path(Frugal::Entries.digest(cookie))
    FileUtils.mkdir_p(File.dirname(public_path))
    File.rename(file_of(cookie), public_path)
    assert_equal "{}", get("/read")

    pool = Client.new(stack(Rack::Session::Pool), "chosen-by-the-client")
    @middleware.pool["chosen-by-the-client"] = { "a" => "of somebody" }
    assert_includes pool.get("/read"), "of somebody", "the control"
  end

  def test_an_unknown_id_gets_a_fresh_one
    @client.cookie = given = "f" * 64
    get("/count")
    refute_equal given, @client.cookie
    refute_path_exists file_of(given)
    assert_equal 1, files.size
  end

  def test_hostile_ids
    ["", "../../etc/passwd", "..%2f..%2fx", "a%00b", "x" * 10_000, "%FF%FE%80", "%00", ".", "/etc/passwd", "a b", "%0d%0aset-cookie:x",
     "\xC3\xA9\xFF".b, "{}", "[]", "x" * 257].each do |id|
      @client.cookie = id
      assert_match(/\A\{"n" ?=> ?1\}\z/, get("/count"), id)
      assert_match(/\A\h{64}\z/, @client.cookie)
    end
    assert_equal 15, files.size
    assert_equal %w[sessions], Dir.children(tree)
    assert_empty(files.reject { |file| file.match?(%r{/\h\h/\h{62}\z}) })
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
    refute_path_exists dir
  end

  def test_an_unchanged_session_is_not_written
    get("/set?a=1")
    before = [File.binread(files[0]), File.stat(files[0]).mtime]
    sleep 0.02
    assert_includes get("/set?a=1"), "1"
    assert_includes get("/read"), "1"
    assert_equal before, [File.binread(files[0]), File.stat(files[0]).mtime]
  end

  def test_drop
    get("/set?a=1")
    get("/read", drop: true)
    assert_empty files
    assert_equal "{}", get("/read")
  end

  def test_renew
    get("/set?a=1")
    old = @client.cookie
    get("/set?b=2", renew: true)
    refute_equal old, @client.cookie
    assert_equal [file_of(@client.cookie)], files
    assert_equal %w[a b], get("/read").scan(/[ab]/)
    assert_equal "{}", Client.new(stack, old).get("/read")
  end

  def test_renew_without_a_session
    get("/set?b=2", renew: true)
    assert_includes get("/read"), "b"
    assert_equal 1, files.size
  end

  def test_defer
    get("/set?a=1", defer: true)
    assert_nil @client.response["set-cookie"]
    assert_equal 1, files.size
    get("/set?a=1", defer: true, renew: true)
    refute_nil @client.response["set-cookie"]
  end

  def test_skip
    get("/set?a=1")
    get("/set?a=2", skip: true)
    assert_nil @client.response["set-cookie"]
    assert_includes get("/read"), "1"
    Client.new(stack).tap { |other| other.get("/set?a=1", skip: true) }
    assert_equal 1, files.size
  end

  def test_destroy_and_clear
    get("/set?a=1")
    old = @client.cookie
    get("/destroy")
    assert_empty files
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
      time = age(seconds)
      assert_includes get("/read"), "1"
      assert_equal touched, (File.mtime(files[0]) - time).abs > 1, seconds
    end
  end

  # A clock that was wrong: a time in the future does not make a session immortal.
  def test_a_clock_that_jumps_back
    @client = Client.new(stack(expire_after: 100))
    get("/set?a=1")
    age(-1_000_000)
    assert_includes get("/read"), "1"
    assert_in_delta Time.now, File.mtime(files[0]), 50
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

  def test_descriptors_are_closed_in_any_case
    get("/set?a=1")
    before = open_descriptors
    get("/read")
    get("/set?a=2", skip: true)
    get("/destroy")
    get("/set?a=1")
    GC.disable
    assert_raises(RuntimeError) { get("/raise") }
    catch(:halted) { get("/throw") }
    assert_equal before, open_descriptors
    assert_equal "{\"a\"=>\"1\"}", get("/read").delete(" ")
    counts = counted { assert_includes get("/count"), "1" } # nobody has the turn any more
    assert_empty counts
  ensure
    GC.enable
  end

  # A body that is streamed reads the session after it was committed.
  def test_a_session_that_is_first_used_in_the_body
    get("/set?a=1")
    session = nil
    body = Enumerator.new { |chunks| chunks << session["a"].to_s }
    client = Client.new(stack(Rack::Session::Frugal, lambda { |env|
      session = env["rack.session"]
      [200, {}, body]
    }), @client.cookie)
    before = open_descriptors
    assert_equal "1", client.get("/")
    assert_equal before, open_descriptors
  end

  def test_a_session_is_swept
    @client = Client.new(stack(expire_after: 100))
    cookies = Array.new(20) do
      @client.cookie = nil
      get("/set?a=1")
      @client.cookie
    end
    cookies.first(19).each { |cookie| File.utime(Time.now, Time.now - 101, file_of(cookie)) }
    counts = counted do
      256.times { sweep }
    end
    assert_equal({ swept: 19 }, counts)
    assert_equal [file_of(cookies.last)], files
  end

  # What a place other than files has to do.
  class InMemory
    attr_reader :kept, :released

    def initialize = (@kept, @released = {}, 0)
    def load(id, _turn) = @kept[id]&.then { |bytes, format, lifetime| Frugal::Session::Backend::Stored.new(id, bytes, format, lifetime, bytes) }
    def create(id, *values) = (@kept[id] = values) && true
    def delete(id) = !@kept.delete(id).nil?
    def discard(stored) = delete(stored.id)
    def release(_) = @released += 1

    def commit(stored, bytes, format, lifetime)
      now = @kept[stored.id] or return false
      bytes, format = yield now[0], now[1] if now[0] != stored.sequence
      create(stored.id, bytes, format, lifetime)
    end
  end

  def test_another_backend
    backend = InMemory.new
    @client = Client.new(stack(dir: nil, backend: backend))
    2.times { get("/count") }
    get("/count", renew: true)
    assert_equal "{\"n\"=>4}", get("/count").delete(" ")
    assert_equal [['{"n":4}', 1, 30 * 86_400]], backend.kept.values
    assert_equal 3, backend.released
    backend.kept.each_value { |values| values[1] = 9 }
    assert_equal({ quarantined: 1 }, counted { assert_equal "{}", get("/read") })
    get("/set?a=1")
    get("/destroy")
    assert_empty backend.kept
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
    assert_equal 2, files.size
  end

  # Two session middlewares in one stack have sessions of their own.
  def test_a_session_within_a_session
    inner = Rack::Session::Frugal.new(lambda { |env|
      env["rack.session"]["inner"] = env["rack.session"]["inner"].to_i + 1
      [200, {}, [env["rack.session"]["inner"].to_s]]
    }, dir: dir, key: "inner")
    outer = Rack::Session::Frugal.new(lambda { |env|
      session = env["rack.session"]
      session["outer"] = session["outer"].to_i + 10
      answer = inner.call(env.merge("rack.session" => nil))
      session["outer"] += 1
      answer
    }, dir: dir)
    request = Rack::MockRequest.new(outer)
    cookies = request.get("/")["set-cookie"].then { |set| Array(set).join("\n").scan(/^(\S+?=\h+)/).join("; ") }
    assert_equal "2", request.get("/", "HTTP_COOKIE" => cookies).body
    assert_equal 2, files.size
  end

  def test_rack_2
    old = Racks::FOLDERS.keys.grep(/\A2\.2/).last or skip "Rack 2 is not in tmp/webs"
    result = run_command(RUBY, "-w", "-I", LIB, "-I", "#{Racks::FOLDERS[old]}/lib", "-rrack", "-rrack/session/frugal", "-e", <<~'RUBY', dir)
      app = lambda do |env|
        env["rack.session"].options[:renew] = env["PATH_INFO"] == "/renew"
        [200, {}, [(env["rack.session"]["n"] = env["rack.session"]["n"].to_i + 1).to_s]]
      end
      request = Rack::MockRequest.new(Rack::Session::Frugal.new(app, dir: ARGV[0]))
      cookie = request.get("/")["set-cookie"][/[^;]+/]
      print request.get("/", "HTTP_COOKIE" => cookie).body, request.get("/renew", "HTTP_COOKIE" => cookie).body, request.get("/", "HTTP_COOKIE" => cookie).body
    RUBY
    assert_equal "231", result.out, result
  end

  def test_options
    require "rack/session/frugal"
    [{ dir: nil }, { serializer: :yaml }, { serializer: :marshal }, { serializer: :marshal, secret: "short" },
     { serializer: :marshal, secret: ["x" * 32, "short"] }].each do |options|
      assert_raises(Frugal::UsageError, options) { stack(**options) }
    end
  end

  private

  # Makes the only session that old.
  def age(seconds)
    time = Time.now - seconds
    File.utime(time, time, files[0])
    time
  end

  # As after enough writes.
  def sweep
    sweeper = @middleware.backend.instance_variable_get(:@sweeper)
    thread = nil
    thread = sweeper.written until thread
    thread.join
  end
end
