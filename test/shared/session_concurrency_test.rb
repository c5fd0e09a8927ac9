# frozen_string_literal: true

require "timeout"
require_relative "../support/session_case"

# Requests of one session at the same time.
class SessionConcurrencyTest < SessionCase
  TURNS = RUBY_ENGINE == "ruby" && RUBY_PLATFORM.include?("linux")

  def test_merge
    base = { "a" => 1, "b" => 1, "c" => 1, "d" => { "x" => 1 } }
    mine = { "a" => 2, "c" => 1, "d" => { "x" => 1 }, "e" => 1 }
    theirs = { "a" => 3, "b" => 1, "c" => 4, "f" => 1 }
    assert_equal({ "a" => 2, "c" => 4, "f" => 1, "e" => 1 }, Frugal::Session::Merge.call(base, mine, theirs))
    assert_equal base, Frugal::Session::Merge.call(base, base, base)
  end

  def test_without_locks_changes_are_merged_by_key
    @client = Client.new(stack(lock: false))
    get("/set?a=1&b=1&c=1")
    counts = counted do
      inside("/set?a=2&b=1&d=4", lock: false) { |other| assert_includes other.get("/set?b=2&a=1"), "2" }
    end
    assert_equal({ merged: 1 }, counts)
    assert_equal({ "a" => "2", "b" => "2", "c" => "1", "d" => "4" }.to_a, session.sort)
  end

  def test_a_deleted_key_stays_deleted
    @client = Client.new(stack(lock: false))
    get("/set?a=1&b=1")
    inside("/delete?a=", lock: false) { |other| other.get("/set?b=2") }
    assert_equal({ "b" => "2" }, session)
  end

  # The other request makes the file larger, so that it has another inode.
  def test_a_file_that_is_replaced_meanwhile
    @client = Client.new(stack(lock: false))
    get("/set?a=1")
    inside("/set?b=2", lock: false) { |other| other.get("/set?c=#{"x" * 10_000}") }
    assert_equal %w[a b c], session.keys.sort
  end

  # Whoever logs out is logged out, whatever an older request still wants to save.
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
    skip "there are no turns" unless TURNS

    @client = Client.new(stack(lock_wait: 0.05))
    get("/set?a=1")
    counts = counted { inside("/set?b=2", lock_wait: 0.05) { |other| assert_includes other.get("/set?c=3"), "3" } }
    assert_equal({ waited: 1, merged: 1 }, counts)
    assert_equal %w[a b c], session.keys.sort
  end

  def test_threads_take_turns
    skip "there are no turns" unless TURNS

    count_in_threads(8, 25)
    assert_equal 200, session["n"]
  end

  def test_no_increment_of_eight_processes_is_lost
    skip "needs fork and turns" unless TURNS

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

  # Each process changes a key of its own, and the session's size, so that its file is replaced again and again. With
  # `lock_wait: 0.001`, most requests have waited in vain; some have the turn.
  [{ lock: false }, { lock_wait: 0.001 }].each do |options|
    define_method("test_no_key_of_eight_processes_is_lost_with_#{options.keys.first}") do
      skip "needs fork" unless Process.respond_to?(:fork)

      get("/set?n=0")
      lost = Array.new(8) do |process|
        in_background { change_own_key(process, **options) }
      end.map(&:call)
      assert_equal [[0, {}]], lost.uniq, "requests found an older value of their own key"
      assert_equal [40] * 8, session.values_at(*("k0".."k7")).map(&:to_i)
      assert_equal 1, files.size
    end
  end

  # A time limit of the application ends a wait, and leaves no file open.
  def test_an_interrupt_ends_a_wait
    skip "there are no turns" unless TURNS

    get("/set?a=1")
    before = open_descriptors
    inside("/set?b=2") do |other|
      assert_raises(Timeout::Error) { Timeout.timeout(0.05) { other.get("/read") } }
      assert_equal before + 1, open_descriptors
    end
    assert_equal before, open_descriptors
    assert_equal %w[a b], session.keys.sort
  end

  # A child of a fork that a request made still has its files open; requests of the session go on nevertheless.
  def test_a_fork_in_a_request_delays_no_one_for_ever
    skip "needs fork and turns" unless TURNS

    get("/set?a=1")
    child = nil
    app = lambda do |env|
      env["rack.session"]["a"] = "2"
      child = fork { sleep }
      [200, {}, []]
    end
    Client.new(stack(Rack::Session::Frugal, app), @client.cookie).get("/")
    @client = Client.new(stack(lock_wait: 0.05), @client.cookie)
    assert_includes get("/set?b=3"), "2"
  ensure
    Process.kill(:KILL, child) && Process.wait(child) if child
  end

  private

  # Runs a request in whose middle the block runs, with another client of the same session.
  def inside(path, **options)
    other = Client.new(stack(**options), @client.cookie)
    app = lambda do |env|
      env["rack.session"]["a"]
      yield other
      application(env)
    end
    outer = Client.new(stack(Rack::Session::Frugal, app, **options), @client.cookie)
    outer.get(path)
    assert_equal 200, outer.response.status
  end

  def session
    id = private_id(@client.cookie)
    JSON.parse(Frugal::Entries.new(dir).read(Frugal::Entries.digest(id)).bytes)
  end

  # @return [Array(Integer, Hash)] how often the last value was not there any more, and what was counted
  def change_own_key(process, **options)
    app = lambda do |env|
      session = env["rack.session"]
      found = session["k#{process}"].to_i
      session["k#{process}"] = found + 1
      session["pad#{process}"] = "x" * [10, 3000, 30_000][found % 3]
      [200, {}, [found.to_s]]
    end
    client = Client.new(stack(Rack::Session::Frugal, app, **options), @client.cookie)
    lost = 0
    bad = counted { lost = (0...40).count { |n| client.get("/") != n.to_s } }.reject { |name, _| %i[merged waited].include?(name) }
    [lost, bad]
  end

  def count_in_threads(threads, times)
    get("/set?n=0")
    cookie = @client.cookie
    shared = stack
    Array.new(threads) do
      Thread.new do
        client = Client.new(shared, cookie)
        times.times { client.get("/count") }
      end
    end.each(&:join)
  end

  # @return [Proc] which waits for the block in a fork, and returns its value
  def in_background(&block)
    thread = Thread.new { in_process(&block) }
    -> { thread.value }
  end
end
