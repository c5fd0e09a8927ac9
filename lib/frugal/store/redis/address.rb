# frozen_string_literal: true

require "uri"

module Frugal
  class Store
    module Redis
      # Finds the name of a store and a client: of its server, of the master that Sentinels name, or of a cluster.
      #
      #   Address.of("app", nil)                                      # the server of REDIS_URL
      #   Address.of("app", "redis://10.0.0.1:6379/2")
      #   Address.of("redis://10.0.0.1:6379/2?store=app", { timeout: 5 })
      #   Address.of("app", { sentinels: [{ host: "10.0.0.1", port: 26379 }], name: "mymaster" })
      #   Address.of("app", { cluster: ["redis://10.0.0.1:6379", "redis://10.0.0.2:6379"] })
      module Address
        URL = %r{\A(?:rediss?|unix)://}n
        DEFAULT = "redis://127.0.0.1:6379/0"
        # Seconds between the attempts to connect, for clients that are created here.
        PAUSES = [0, 0.05, 0.1, 0.2, 0.4, 0.8].freeze
        private_constant :URL, :PAUSES

        class << self
          # @param path [String] a name or a URL
          # @param redis [String, Hash, RedisClient::Config, RedisClient, RedisClient::Pooled, nil] or a config or a
          #   client of the gem redis-cluster-client
          # @return [Array(String, RedisClient, Boolean, Integer)] name, client, whether the client was created here,
          #   how many replicas must have each write
          # @raise [UsageError]
          def of(path, redis)
            redis, replicas = replicas(redis)
            return [path, *client(redis || ENV.fetch("REDIS_URL", DEFAULT)), replicas] unless path.match?(URL)

            name, url = split(path)
            unless redis.nil? || Hash === redis
              raise UsageError, "redis: must be a Hash of options where the store is a URL (got #{redis.class})"
            end

            [name, *client({ url: url, **redis.to_h }), replicas]
          end

          # @return [Boolean] whether these options have several addresses instead of a URL
          def several?(redis) = Hash === redis && (redis.key?(:cluster) || redis.key?(:sentinels))

          private

          def replicas(redis)
            return [redis, 0] unless Hash === redis && redis.key?(:wait)

            replicas = redis[:wait] || 0
            unless Integer === replicas && replicas >= 0
              raise UsageError, "redis: wait: must be a number of replicas, 0 or more (got #{replicas.inspect})"
            end

            [redis.except(:wait), replicas]
          end

          def split(path)
            uri = URI(path)
            pairs = URI.decode_www_form(uri.query.to_s)
            names, rest = pairs.partition { |key, _| key == "store" }
            name = names.dig(0, 1)
            raise UsageError, "the URL of a store must have its name: add ?store=NAME" unless name

            uri.query = rest.empty? ? nil : URI.encode_www_form(rest)
            [name, uri.to_s]
          rescue URI::Error, ArgumentError
            raise UsageError, "the URL of the store is invalid" # without the URL, which may have a password
          end

          def client(redis)
            case redis
            when RedisClient::Common then [redis, false]
            when RedisClient::Config::Common then [redis.new_client, true]
            when String then [configured(url: redis), true]
            when Hash then [configured(**redis), true]
            else [cluster(redis), true]
            end
          end

          def configured(**options)
            options = { reconnect_attempts: PAUSES, **options }
            return RedisClient.config(**options).new_client unless several?(options)

            if options.key?(:cluster) == options.key?(:sentinels) || (options.key?(:cluster) && options.key?(:url))
              raise UsageError, "redis: must have one of url:, sentinels: and cluster:, and the store a name, not a URL"
            end

            options.key?(:cluster) ? Cluster.of(**options) : RedisClient.sentinel(**options).new_client
          rescue URI::Error, ArgumentError => e
            raise UsageError, "redis: #{options.key?(:url) ? "the URL or an option is invalid" : e.message}"
          end

          # Without the gem redis-cluster-client, no such object can exist.
          def cluster(redis)
            config = if defined?(RedisClient::ClusterConfig)
                       case redis
                       when RedisClient::ClusterConfig then redis
                       when RedisClient::Cluster then redis.config
                       end
                     end
            return Cluster.new(config, PAUSES) if config

            raise UsageError, "redis: must be a URL, a Hash of options, a RedisClient, its config or a pool " \
                              "(got #{redis.class})"
          end
        end
      end
    end
  end
end
