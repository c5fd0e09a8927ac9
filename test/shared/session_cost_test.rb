# frozen_string_literal: true

require "pstore"
require_relative "../support/session_case"

# The system calls of a session: load and commit, without the application and without cookies. The counts are those of the C engine.
class SessionCostTest < SessionCase
  DATA = { "user_id" => 42, "csrf" => "x" * 176 }.freeze
  ID = "2::#{"a" * 64}"

  def setup
    super
    skip "the pure engine makes more calls" unless Frugal::Native.engine_name == :c

    @backend = Frugal::Session::FileBackend.new(dir, lifetime: 1000)
    @bytes = JSON.generate(DATA).b
    @backend.create(ID, @bytes, 1, 1000)
  end

  def test_unchanged
    assert_equal 200, @bytes.bytesize
    assert_cost(syscalls: %w[open fcntl fstat pread close], exceptions: 0) { visit }
  end

  def test_changed
    changed = @bytes.sub("42", "43")
    assert_cost(syscalls: %w[open fcntl fstat pread flock pread pwrite close], exceptions: 0) { visit(changed) }
  end

  def test_a_missing_session
    assert_cost(syscalls: %w[open], exceptions: 0) { @backend.load("2::#{"b" * 64}", true) }
  end

  def test_through_the_middleware
    get("/set?a=1")
    middleware = @middleware
    env = Rack::MockRequest.env_for("/read", "HTTP_COOKIE" => "rack.session=#{@client.cookie}")
    assert_cost(syscalls: %w[open fcntl fstat pread close], exceptions: 0) { middleware.call(env.dup) }
    env = Rack::MockRequest.env_for("/set?a=2", "HTTP_COOKIE" => "rack.session=#{@client.cookie}")
    assert_cost(syscalls: %w[open fcntl fstat pread flock pread pwrite close], exceptions: 0) { middleware.call(env) }
    env = Rack::MockRequest.env_for("/nothing", "HTTP_COOKIE" => "rack.session=#{@client.cookie}")
    assert_cost(syscalls: [], exceptions: 0) { middleware.call(env) }
  end

  def test_stock_makes_more_calls
    store = PStore.new(path("pstore"))
    store.transaction { store[:session] = DATA }
    calls = measure_cost { store.transaction { store[:session] } }.syscalls
    assert_operator calls.size, :>, 5, calls
  end

  # No request lists a directory, whatever the number of sessions: the calls are the same with many files in the partition.
  def test_many_sessions
    partition = File.dirname(@backend.entries.path(Frugal::Entries.digest(ID)))
    1000.times { |n| File.write(format("%s/%062x", partition, n), "") }
    assert_cost(syscalls: %w[open fcntl fstat pread close]) { visit }
    assert_cost(syscalls: 0, only: /getdents/) { 60.times { |n| visit(@bytes.sub("42", n.to_s)) } }
  end

  private

  def visit(changed = nil)
    stored = @backend.load(ID, true)
    @backend.commit(stored, changed, 1, 1000) { flunk } if changed && changed != stored.bytes
    @backend.release(stored)
  end
end
