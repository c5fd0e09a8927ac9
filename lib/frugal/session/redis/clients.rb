# frozen_string_literal: true

require "redis_client"

module Frugal
  module Session
    class RedisBackend
      # The clients of a process: a thread takes an idle client, or a new one. So there are as many connections as
      # threads have used at the same moment. A forked process connects again.
      class Clients
        # @param client [RedisClient, RedisClient::Pooled, Store::Redis::Cluster]
        # @return [Clients, RedisClient::Pooled, Store::Redis::Cluster] for all threads. A single client could be used
        #   by another thread at the same moment, so only its configuration is used
        def self.of(client) = RedisClient === client ? new(client.config) : client

        # Clients for requests that wait. They must not take all connections of a pool, because the request that has the
        # turn needs one.
        #
        # @return [Clients, Store::Redis::Cluster]
        def self.for_waiting(clients) = RedisClient::Pooled === clients ? new(clients.config) : clients

        # @return [RedisClient::Config]
        attr_reader :config

        def initialize(config)
          @config = config
          @lock = Thread::Mutex.new
          @idle = []
        end

        # @param command [Array]
        # @return [Object] the answer
        def call_v(command) = with { |client| client.call_v(command) }

        # @param timeout [Numeric] seconds after which the server answers in any case
        def blocking_call_v(timeout, command) = with { |client| client.blocking_call_v(timeout, command) }

        # @yieldparam pipeline [RedisClient::Pipeline]
        # @return [Array] the answers
        def pipelined(&block) = with { |client| client.pipelined(&block) }

        private

        # Yields a client. An interrupted thread may not have read its answer, so its connection is closed.
        def with
          client = @lock.synchronize { @idle.pop } || @config.new_client
          answer = yield client
          done = true
          answer
        rescue RedisClient::Error
          done = true
          raise
        ensure
          if client
            client.close unless done
            @lock.synchronize { @idle.push(client) }
          end
        end
      end
    end
  end
end
