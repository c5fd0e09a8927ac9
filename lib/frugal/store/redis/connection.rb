# frozen_string_literal: true

require_relative "../../error"

begin
  require "redis_client"
rescue LoadError
  raise Frugal::UsageError, "engine: :redis needs the gem redis-client, which is not installed: " \
                            "add gem \"redis-client\", \"~> 0.25\" to the Gemfile, or gem install redis-client"
end
require_relative "address"
require_relative "script"

module Frugal
  class Store
    module Redis
      # Commands and scripts for a server. The client connects again after an error, and sends a
      # command again: each of ours may be run twice. While the server loads its data, it is
      # asked again in the same way.
      class Connection
        REASONS = {
          "OutOfMemoryError" => "its memory is full (maxmemory), so nothing was changed",
          "ReadOnlyError" => "it is a read-only replica: use the URL of the primary",
          "AuthenticationError" => "it refuses user or password",
          "PermissionError" => "the user may not do this",
          "CannotConnectError" => "it cannot be reached",
          "TimeoutError" => "it does not answer in time",
          "ConnectionError" => "the connection was lost"
        }.transform_keys { |name| RedisClient.const_get(name) }.freeze
        NOT_YET = %w[LOADING BUSY TRYAGAIN].freeze # nothing was done
        private_constant :REASONS, :NOT_YET

        # @param client [RedisClient, RedisClient::Pooled]
        # @param own [Boolean] whether to close it
        def initialize(name, client, own)
          @name = name
          @client = client
          @own = own
        end

        # @return [Object] the answer
        # @raise [StoreUnavailable, CorruptStore]
        def call(*command) = guard(false) { @client.call_v(command) }

        # @param writes [Boolean] whether it may have had an effect if there is no answer
        # @raise [StoreUnavailable, CorruptStore]
        def run(script, keys, arguments, writes: false)
          rest = [keys.size, *keys, *arguments]
          guard(writes) do
            @client.call_v(["EVALSHA", script.digest, *rest])
          rescue RedisClient::NoScriptError
            @client.call_v(["EVAL", script.source, *rest])
          end
        end

        def close
          @client.close if @own
        end

        private

        def guard(writes)
          tries ||= 0
          yield
        rescue RedisClient::WrongTypeError
          raise CorruptStore, "a key of the store #{@name} on the Redis server was written by another program"
        rescue RedisClient::Error => e
          if NOT_YET.include?(code(e)) && @client.config.retry_connecting?(tries, e)
            tries += 1
            retry
          end
          raise StoreUnavailable, message(e, writes)
        end

        def code(error) = error.respond_to?(:code) ? error.code : nil

        def message(error, writes)
          _, reason = REASONS.find { |kind, _| kind === error }
          unsure = writes && RedisClient::ConnectionError === error && !code(error)
          "the Redis server of the store #{@name} cannot be used: #{"#{reason}: " if reason}#{error.message.scrub}" \
            "#{"; the transaction may have been saved or not" if unsure}"
        end
      end
    end
  end
end
