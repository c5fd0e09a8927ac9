# frozen_string_literal: true

require_relative "../support/session_contract"
require_relative "../support/session_files"

# What rack-session promises of a session store, and what ours adds, with files.
class SessionTest < SessionCase
  include SessionContract
  include SessionFiles

  # A clock that was wrong: a time in the future does not make a session immortal.
  def test_a_clock_that_jumps_back
    @client = Client.new(stack(expire_after: 100))
    get("/set?a=1")
    age(-1_000_000)
    assert_includes get("/read"), "1"
    assert_in_delta Time.now, File.mtime(files[0]), 50
  end

  def test_descriptors_are_closed_in_any_case
    get("/set?a=1")
    assert_closes_its_descriptors do
      get("/read")
      get("/set?a=2", skip: true)
      get("/destroy")
      get("/set?a=1")
      assert_raises(RuntimeError) { get("/raise") }
      catch(:halted) { get("/throw") }
    end
    assert_equal "{\"a\"=>\"1\"}", get("/read").delete(" ")
    counts = counted { assert_includes get("/count"), "1" } # nobody has the turn any more
    assert_empty counts
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
    assert_closes_its_descriptors { assert_equal "1", client.get("/") }
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

  # A server whose workers are replaced after a few requests, and a cron job that writes a few sessions.
  def test_processes_of_few_writes_sweep
    skip "needs fork" unless Process.respond_to?(:fork)

    backend = Frugal::Session::FileBackend.new(dir, lifetime: 100)
    600.times { |n| backend.create("old #{n}", "{}", 1, 100) }
    files.each { |file| File.utime(Time.now, Time.now - 101, file) }
    20.times do |process|
      in_process do
        60.times { |n| backend.create("#{process} #{n}", "{}", 1, 100) }
        Thread.list.each { |thread| thread.join unless thread == Thread.current }
      end
    end
    assert_operator files.count { |file| File.mtime(file) < Time.now - 100 }, :<, 500
  end

  # What a place other than files has to do.
  class InMemory
    attr_reader :kept, :released

    def initialize = (@kept, @released = {}, 0)
    def load(id, _turn) = @kept[id]&.then { |bytes, format, lifetime| Frugal::Session::Backend::Stored.new(id, bytes, format, lifetime, bytes) }
    def create(id, *values) = (@kept[id] = values) && true
    def delete(id) = !@kept.delete(id).nil?
    def quarantine(stored) = delete(stored.id)
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

  def test_rack_2
    old = Racks::FOLDERS.keys.grep(/\A2\.2/).last or skip "Rack 2 is not in tmp/webs"
    result = run_ruby("-I", "#{Racks::FOLDERS[old]}/lib", "-rrack", "-rrack/session/frugal", "-e", <<~'RUBY', dir)
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
    [{ dir: nil }, { redis: true }, { sqlite: path("a.sqlite") }, { serializer: :yaml }, { serializer: :marshal }, { serializer: :marshal, secret: "short" },
     { serializer: :marshal, secret: ["x" * 32, "short"] }].each do |options|
      assert_raises(Frugal::UsageError, options) { stack(**options) }
    end
  end

  private

  # As after enough writes.
  def sweep
    sweeper = @middleware.backend.instance_variable_get(:@sweeper)
    assert_nil sweeper.written("01#{"f" * 62}", 64)
    sweeper.written("01#{"f" * 62}", 63).join
  end
end
