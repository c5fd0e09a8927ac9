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
      # Runs commands and scripts on a server. After an error, the client connects again and
      # repeats the command, so each command must be safe to run twice. A command is also
      # repeated while the server loads its data.
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

        # @param client [RedisClient, RedisClient::Pooled, Cluster]
        # @param own [Boolean] whether to close the client
        # @param replicas [Integer] the number of replicas that must have a write before it counts as saved
        def initialize(name, client, own, replicas = 0)
          @name = name
          @client = client
          @own = own
          @replicas = replicas
        end

        # @return [Object] the answer
        # @raise [StoreUnavailable, CorruptStore]
        def call(*command) = guard(false) { @client.call_v(command) }

        # Runs a command that saves something, and waits for the replicas.
        #
        # @raise [StoreUnavailable, CorruptStore]
        def save(*command) = guard(false) { saved(command) }

        # @param writes [Boolean] whether the script may have had an effect if there is no answer
        # @param saves [Boolean] whether its writes must survive the server, so the replicas are waited for
        # @raise [StoreUnavailable, CorruptStore]
        def run(script, keys, arguments, writes: false, saves: writes)
          rest = [keys.size, *keys, *arguments]
          guard(writes) do
            answer(["EVALSHA", script.digest, *rest], saves)
          rescue RedisClient::NoScriptError
            answer(["EVAL", script.source, *rest], saves)
          end
        end

        def close
          @client.close if @own
        end

        private

        def answer(command, saves) = saves ? saved(command) : @client.call_v(command)

        # Runs the command, and asks on the same connection how many replicas have its write.
        def saved(command)
          return @client.call_v(command) if @replicas.zero?

          answer, copies = with_copies(command, (@client.config.read_timeout * 1000).ceil)
          return answer if copies >= @replicas

          raise StoreUnavailable, "the Redis server of the store #{@name} has saved it, but only #{copies} of " \
                                  "#{@replicas} replicas had it in time (wait: #{@replicas})"
        end

        def with_copies(command, milliseconds)
          return @client.call_and_wait(command, @replicas, milliseconds) if @client.respond_to?(:call_and_wait)

          @client.pipelined do |pipeline|
            pipeline.call_v(command)
            pipeline.blocking_call_v(milliseconds / 1000.0, ["WAIT", @replicas, milliseconds])
          end
        end

        def guard(writes)
          tries ||= 0
          yield
        rescue RedisClient::WrongTypeError
          raise CorruptStore, "a key of the store #{@name} on the Redis server was written by another program"
        rescue RedisClient::Error => e
          if NOT_YET.include?(code(e)) && again?(tries, e)
            tries += 1
            retry
          end
          raise StoreUnavailable, message(e, writes)
        end

        # Whether to try again. A {Cluster} has tried already.
        def again?(tries, error)
          config = @client.config
          config.respond_to?(:retry_connecting?) && config.retry_connecting?(tries, error)
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
