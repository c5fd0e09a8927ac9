# frozen_string_literal: true

require_relative "../test_helper"
require_relative "redis_case"
require "frugal/session"
require "frugal/session/envelope"

# The base of tests of sessions on a server that use the backend itself.
class RedisSessions < RedisCase
  Backend = Frugal::Session::RedisBackend if StoreGems::AVAILABLE.include?(:redis)
  Envelope = Frugal::Session::Envelope
  ID = "2::an-id"
  DIGEST = Digest::SHA256.hexdigest(ID)

  def setup
    super
    @name = "test-#{Process.pid}-#{object_id}"
    @redis = client
    @backend = backend
    @backend.create(ID, "0", 1, 100)
  end

  def teardown
    kill(*@children) if @children
    super
  end

  private

  # @return [Backend] on the shared server, as another process has it
  def backend(redis = "#{RedisServer.shared.url}?store=#{@name}", **options) = Backend.new(redis, **options)

  def key(kind, digest = DIGEST) = "frugal:#{@name}:{#{digest}}:#{kind}"

  def keys = @redis.call("KEYS", "frugal:*#{@name}*").map { |key| key[/\A.*\}:(.*)/, 1] }.sort

  # @return [Stored, Symbol, nil]
  def load(backend = @backend, turn: true) = backend.load(ID, turn) { |event, message| flunk("#{event}: #{message}") }

  def save(stored, bytes, backend = @backend) = backend.commit(stored, bytes, 1, 100) { |present| flunk("merged with #{present}") }

  def value = Envelope.unpack(@redis.call("GET", key("session"))).bytes

  # @return [Integer] how many requests wait
  def waiting = @redis.call("ZCARD", key("queue"))

  def wait_until(limit = 60)
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + limit
    until yield
      flunk "waited #{limit} s in vain" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
      sleep 0.005
    end
  end

  # @return [Thread] that waits for the turn, or another one would do so before it. Its value is that of the block
  def waiter(backend = @backend, &block)
    before = waiting
    thread = Thread.new { (block || :itself.to_proc).call(load(backend)) }
    thread.report_on_exception = false
    wait_until { waiting > before || !thread.alive? }
    thread
  end

  # @return [Integer] the pid of a process that has the turn or waits for it
  def waiting_process(backend = self.backend(lock_wait: 100))
    before = waiting
    held = @redis.call("EXISTS", key("turn")) == 1
    pid = fork do
      load(backend)
      sleep
    ensure
      exit!
    end
    (@children ||= []) << pid
    wait_until { held ? waiting > before : @redis.call("EXISTS", key("turn")) == 1 }
    pid
  end

  def kill(*pids)
    Process.kill(:KILL, *pids) if pids.any?
    pids.each { |pid| Process.wait(pid) }
    @children -= pids
  end
end
