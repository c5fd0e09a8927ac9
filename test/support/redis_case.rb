# frozen_string_literal: true

# needs: redis

require_relative "stores"

# The base of tests of the engine :redis, with servers that a test may damage.
class RedisCase < Frugal::TestCase
  include Stores

  # Counts the round trips of clients that have this middleware.
  module Trips
    CALLERS = Thread::Queue.new
    private_constant :CALLERS

    # @return [Integer] how many round trips the block makes, in this thread and those that it starts; a backend of an
    #   earlier test may still renew its turns
    def self.during
      others = Thread.list - [Thread.current]
      CALLERS.clear
      yield
      (Array.new(CALLERS.size) { CALLERS.pop } - others).size
    end

    def self.count = CALLERS << Thread.current

    def call(...)
      Trips.count
      super
    end

    def call_pipelined(...)
      Trips.count
      super
    end
  end

  def setup
    needs(:redis)
    RedisServer.shared # or each fork would start one
    @servers = []
  end

  def teardown
    @servers&.each(&:stop)
  end

  private

  # @return [RedisServer] one of this test's own
  def start_server(**options)
    RedisServer.new(**options).tap { |server| @servers << server }.start
  end

  # @return [Frugal::Store] of Redis
  def open_at(server, name = "app", **options)
    settings = { url: server.url, timeout: 0.5, reconnect_attempts: 2, **options.delete(:client).to_h }
    Frugal::Store.new(name, engine: :redis, redis: settings, **options)
  end

  # @return [RedisClient]
  def client(server = RedisServer.shared) = RedisClient.config(url: server.url).new_client

  def trips(&block) = Trips.during(&block)

  def assert_unavailable(pattern, &block)
    error = assert_raises(Frugal::StoreUnavailable, &block)
    assert_match(pattern, error.message)
  end
end
