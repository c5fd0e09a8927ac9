# frozen_string_literal: true

# uses: redis

require_relative "../../bench/support/redis_server"

# The benchmarks use it, too; the tests share one.
class RedisServer < Frugal::Bench::RedisServer
  MAIN = Process.pid

  class << self
    # One for all tests of this process; each store has a name of its own.
    #
    # @return [RedisServer]
    def shared
      return @shared if @shared

      raise "a fork of a test asks for the server first: ask for it before the fork" unless MAIN == Process.pid

      @shared = new.start
      Minitest.after_run { @shared.stop }
      @shared
    end
  end
end
