# frozen_string_literal: true

require_relative "../store"
require_relative "keyed_backend"

module Frugal
  module Session
    # Keeps sessions on a Redis server, for several machines: the backend of {Middleware} for `redis:`.
    #
    # Each session is the key `frugal:{NAME}:session:SHA256`, which the server expires. It uses the connection of
    # {Store}'s engine `:redis`, but has no index of its keys, which a session does not need.
    #
    # *Cost*: a round trip to load, and one to commit, whether the session has changed or not; with `lock: false` none
    # to commit an unchanged one.
    class RedisBackend < KeyedBackend
      NAME = "sessions"
      # A request should not wait long for a server that is away.
      OPTIONS = { timeout: 0.5, reconnect_attempts: [0, 0.1] }.freeze
      KEPT = 30 * 86_400_000 # milliseconds that a foreign value is kept
      private_constant :OPTIONS, :KEPT

      # @param redis [String, Hash, RedisClient::Config, RedisClient::Pooled, true] as {Store}'s `redis:`. A URL may
      #   have a name, as in redis://10.0.0.1/0?store=shop. With true, the URL is that of REDIS_URL
      # @raise [UsageError]
      def initialize(redis, **options)
        super(**options)
        name, client = address(redis)
        @connection = Store::Redis::Connection.new(name, Clients.of(client), false)
        @prefix = "frugal:{#{name}}:"
      end

      private

      def address(redis)
        url, options = redis.is_a?(Hash) ? [redis[:url] || true, redis.except(:url)] : [redis, {}]
        return Store::Redis::Address.of(NAME, url) unless url == true || url.is_a?(String)

        url = ENV.fetch("REDIS_URL", Store::Redis::Address::DEFAULT) if url == true
        options = OPTIONS.merge(options)
        return Store::Redis::Address.of(url, options) if url.match?(/[?&]store=/)

        Store::Redis::Address.of(NAME, { url: url, **options })
      end

      def read(turn)
        answer = run(Scripts::LOAD, turn, turn.token.to_s, milliseconds(lease), @max_bytes + Envelope::HEAD, KEPT)
        { "held" => :held, "foreign" => :foreign }.fetch(answer, answer)
      end

      def put(digest, value, lifetime)
        guard { @connection.call("SET", key("session", digest), value, "PX", milliseconds(lifetime)) }
      end

      def swap(turn, expected, sequence, value, lifetime)
        answer = run(Scripts::SAVE, turn, turn.token.to_s, expected, sequence, value, milliseconds(lifetime))
        answer.is_a?(Integer) ? answer == 1 : answer
      end

      def remove(digest) = guard { @connection.call("UNLINK", key("session", digest)) == 1 }

      def put_away(turn, sequence) = run(Scripts::PUT_AWAY, turn, sequence) == 1

      def end_turn(turn) = run(Scripts::END_TURN, turn, turn.token)

      def run(script, turn, *arguments)
        keys = %w[session turn quarantine].map { |kind| key(kind, turn.digest) }
        guard { @connection.run(script, keys, arguments) }
      end

      def key(kind, digest) = "#{@prefix}#{kind}:#{digest}"

      def milliseconds(seconds) = (seconds * 1000).ceil

      def guard
        yield
      rescue StoreUnavailable, CorruptStore => e
        raise Unavailable, e.message
      end
    end
  end
end

require_relative "redis/scripts" # first, as it reports a missing gem
require_relative "redis/clients"
