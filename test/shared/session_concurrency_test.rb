# frozen_string_literal: true

require "timeout"
require_relative "../support/session_case"
require_relative "../support/session_files"

# Requests of one session in files at the same time.
class SessionConcurrencyTest < SessionCase
  include SessionFiles

  def test_merge
    base = { "a" => 1, "b" => 1, "c" => 1, "d" => { "x" => 1 } }
    mine = { "a" => 2, "c" => 1, "d" => { "x" => 1 }, "e" => 1 }
    theirs = { "a" => 3, "b" => 1, "c" => 4, "f" => 1 }
    merge = Frugal::Session::Merge.new
    assert_equal({ "a" => 2, "c" => 4, "f" => 1, "e" => 1 }, merge.call(base, mine, theirs))
    assert_equal base, merge.call(base, base, base)
  end

  def test_a_key_that_both_have_changed
    strict = Frugal::Session::Merge.new(counters: %w[n], strict: true)
    [[{ "n" => 10 }, { "n" => 11 }, { "n" => 11 }, 12], [{}, { "n" => 1 }, { "n" => 2 }, 3], [{ "n" => 5 }, { "n" => 3 }, { "n" => 6 }, 4]]
      .each { |base, mine, theirs, sum| assert_equal({ "n" => sum }, strict.call(base, mine, theirs)) }
    assert_equal({ "a" => "x" }, strict.call({ "a" => 1 }, { "a" => "x" }, { "a" => "x" }))
    assert_equal({}, strict.call({ "a" => 1 }, {}, {}))
    [[{ "a" => 2 }, { "a" => 3 }], [{ "a" => 2 }, { "a" => 2 }], [{}, { "a" => 3 }], [{ "a" => 3 }, {}], [{ "n" => "x" }, { "n" => 1 }]].each do |mine, theirs|
      error = assert_raises(Frugal::Session::Conflict) { strict.call({ "a" => 1 }, { **mine }, { **theirs }) }
      assert_includes error.message, (mine.keys | theirs.keys).first.inspect
    end
  end

  # The other request makes the file larger, so that it has another inode.
  def test_a_file_that_is_replaced_meanwhile
    @client = Client.new(stack(lock: false))
    get("/set?a=1")
    inside("/set?b=2", lock: false) { |other| other.get("/set?c=#{"x" * 10_000}") }
    assert_equal %w[a b c], session.keys.sort
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
    skip "there are no turns" unless turns?

    get("/set?a=1")
    assert_closes_its_descriptors do
      before = open_descriptors
      inside("/set?b=2") do |other|
        assert_raises(Timeout::Error) { Timeout.timeout(0.05) { other.get("/read") } }
        assert_equal before.size + 1, open_descriptors.size
      end
    end
    assert_equal %w[a b], session.keys.sort
  end

  # A child of a fork that a request made still has its files open; requests of the session go on nevertheless.
  def test_a_fork_in_a_request_delays_no_one_for_ever
    skip "needs fork and turns" unless turns? && Process.respond_to?(:fork)

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
end
