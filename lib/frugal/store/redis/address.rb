# frozen_string_literal: true

require "uri"

module Frugal
  class Store
    module Redis
      # Where a store is: its name, and a client of its server.
      #
      #   Address.of("app", nil)                                      # the server of REDIS_URL
      #   Address.of("app", "redis://10.0.0.1:6379/2")
      #   Address.of("redis://10.0.0.1:6379/2?store=app", { timeout: 5 })
      module Address
        URL = %r{\A(?:rediss?|unix)://}n
        DEFAULT = "redis://127.0.0.1:6379/0"
        # Seconds between the attempts to connect of a client that is made here.
        PAUSES = [0, 0.05, 0.1, 0.2, 0.4, 0.8].freeze
        private_constant :URL, :PAUSES

        class << self
          # @param path [String] a name or a URL
          # @param redis [String, Hash, RedisClient::Config, RedisClient, RedisClient::Pooled, nil]
          # @return [Array(String, RedisClient, Boolean)] name, client, whether the client was made here
          # @raise [UsageError]
          def of(path, redis)
            return [path, *client(redis || ENV.fetch("REDIS_URL", DEFAULT))] unless path.match?(URL)

            name, url = split(path)
            unless redis.nil? || Hash === redis
              raise UsageError, "redis: must be a Hash of options where the store is a URL (got #{redis.class})"
            end

            [name, *client({ url: url, **redis.to_h })]
          end

          private

          def split(path)
            uri = URI(path)
            pairs = URI.decode_www_form(uri.query.to_s)
            names, rest = pairs.partition { |key, _| key == "store" }
            name = names.dig(0, 1)
            raise UsageError, "the URL of a store must have its name: add ?store=NAME" unless name

            uri.query = rest.empty? ? nil : URI.encode_www_form(rest)
            [name, uri.to_s]
          rescue URI::Error, ArgumentError
            raise UsageError, "the URL of the store is invalid" # it may have a password
          end

          def client(redis)
            case redis
            when RedisClient::Common then [redis, false]
            when RedisClient::Config::Common then [redis.new_client, true]
            when String then [configured(url: redis), true]
            when Hash then [configured(**redis), true]
            else
              raise UsageError, "redis: must be a URL, a Hash of options, a RedisClient, its config or a pool " \
                                "(got #{redis.class})"
            end
          end

          def configured(**options)
            RedisClient.config(reconnect_attempts: PAUSES, **options).new_client
          rescue URI::Error, ArgumentError => e
            raise UsageError, "redis: #{options.key?(:url) ? "the URL or an option is invalid" : e.message}"
          end
        end
      end
    end
  end
end
