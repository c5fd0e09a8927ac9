# frozen_string_literal: true

require_relative "../support/session_case"
require_relative "../support/session_files"

# Requests of one session in files at the same time.
class SessionConcurrencyTest < SessionCase
  include SessionFiles

  def test_merge
    base = { "a" => 1, "b" => 1, "c" => 1, "d" => { "x" => 1 } }
    mine = { "a" => 2, "c" => 1, "d" => { "x" => 1 }, "e" => 1 }
    theirs = { "a" => 3, "b" => 1, "c" => 4, "f" => 1 }
    assert_equal({ "a" => 2, "c" => 4, "f" => 1, "e" => 1 }, Frugal::Session::Merge.call(base, mine, theirs))
    assert_equal base, Frugal::Session::Merge.call(base, base, base)
  end

  # The other request makes the file larger, so that it has another inode.
  def test_a_file_that_is_replaced_meanwhile
    @client = Client.new(stack(lock: false))
    get("/set?a=1")
    inside("/set?b=2", lock: false) { |other| other.get("/set?c=#{"x" * 10_000}") }
    assert_equal %w[a b c], session.keys.sort
  end

  # A child of a fork that a request made still has its files open; requests of the session go on nevertheless.
  def test_a_fork_in_a_request_delays_no_one_for_ever
    skip "needs fork and turns" unless turns?

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
end
