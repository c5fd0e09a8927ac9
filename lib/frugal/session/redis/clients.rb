# frozen_string_literal: true

require "redis_client"

module Frugal
  module Session
    class RedisBackend
      # The clients of a process: a thread takes one that is idle, or a new one. So there are as many connections as
      # threads have asked at the same moment. A fork connects again.
      class Clients
        # @param client [RedisClient, RedisClient::Pooled]
        # @return [Clients, RedisClient::Pooled] for all threads. A single client could be used by another thread at the
        #   same moment, so only its configuration is used
        def self.of(client) = RedisClient::Pooled === client ? client : new(client.config)

        # @return [RedisClient::Config]
        attr_reader :config

        def initialize(config)
          @config = config
          @lock = Thread::Mutex.new
          @idle = []
        end

        # @param command [Array]
        # @return [Object] the answer
        def call_v(command)
          client = @lock.synchronize { @idle.pop } || @config.new_client
          client.call_v(command)
        ensure
          @lock.synchronize { @idle.push(client) } if client
        end
      end
    end
  end
end
