# frozen_string_literal: true

require_relative "../store"
require_relative "../wait"
require_relative "keyed_backend"

module Frugal
  module Session
    # Keeps sessions on a Redis server, for several machines: the backend of {Middleware} for `redis:`.
    #
    # Each session is the key `frugal:NAME:{SHA256}:session`, which the server expires. The backend uses the connection
    # of {Store}'s engine `:redis`, but has no index of its keys, because sessions do not need one. The server orders
    # the requests of one session, first come, first served: {Queue}. A turn is short, and {Keeper} renews it.
    #
    # *Cost*: a round trip to load, and one to commit, whether the session has changed or not; with `lock: false` none
    # to commit an unchanged one.
    class RedisBackend < KeyedBackend
      NAME = "sessions"
      # A request should not wait long for a server that does not answer.
      OPTIONS = { timeout: 0.5, reconnect_attempts: [0, 0.1] }.freeze
      # A wait of `lock_wait` seconds should outlast two holders that are killed.
      HOLDERS = 2.5
      LONGEST_TURN = 30 # seconds
      RENEWALS = 4 # during one turn
      NO_BLOCKING = 0.01 # seconds, the pause without BLPOP
      private_constant :OPTIONS, :HOLDERS, :LONGEST_TURN, :RENEWALS, :NO_BLOCKING

      # @param redis [String, Hash, RedisClient::Config, RedisClient::Pooled, true] as {Store}'s `redis:`. A URL may
      #   contain a name, as in redis://10.0.0.1/0?store=shop, and a Hash, too: `store: "shop"`. true uses the URL in
      #   REDIS_URL
      # @raise [UsageError]
      def initialize(redis, **options)
        super(**options)
        @name, client, _, replicas = address(redis)
        Store::Redis::Names.new(@name) # checks it
        clients = Clients.of(client)
        @waiting = Clients.for_waiting(clients)
        @connection = Store::Redis::Connection.new(@name, clients, false, replicas)
        cluster = clients.respond_to?(:call_and_wait)
        @names = cluster ? ClusterNames.new(@name, @connection) : KeyNames.new(@name)
        @keeper = Keeper.new(turn_lasts / RENEWALS, lease) { |turn, left| renew(turn, left) }
      end

      def load(id, wants_turn)
        stored = super
        @keeper.hold(stored.handle) if Stored === stored && stored.handle.token
        stored
      end

      private

      # @return [Float] seconds until a turn expires that is not renewed
      def turn_lasts = (@lock_wait / HOLDERS).clamp(SHORTEST_LEASE, LONGEST_TURN).to_f

      # Waits until the server pushes to the list of this token. Asks again at intervals, which keeps the place in the
      # queue. Whenever the request gets a better place, `lock_wait` begins again, because the queue is moving.
      def await(turn)
        last = now + (@lock_wait * Wait::MOST)
        limit = now + @lock_wait
        value = :held
        while value == :held && (left = [limit, last].min - now).positive?
          place = turn.place
          listen(turn, [turn.pause, left].min)
          value = read(turn)
          limit = now + @lock_wait if turn.place < place
        end
        leave(turn) unless String === value
        value
      end

      def listen(turn, seconds)
        seconds = (seconds * 1000).ceil / 1000.0 # 0 would wait forever
        @waiting.blocking_call_v(seconds, ["BLPOP", "#{@names.of("queue", turn.digest)}:#{turn.token}", seconds])
      rescue RedisClient::CommandError # BLPOP is not allowed or not supported: the request keeps its place in the queue
        sleep([seconds, NO_BLOCKING].min)
      rescue RedisClient::Error
        nil # `read` reports it
      end

      def renew(turn, left) = run(Scripts::RENEW, turn, turn.token.to_s, milliseconds([turn_lasts, left].min))

      def address(redis)
        options = Hash === redis ? { **OPTIONS, **redis.except(:store) } : OPTIONS
        name = (Hash === redis && redis[:store]) || NAME
        return Store::Redis::Address.of(name, options) if Store::Redis::Address.several?(redis)

        url = Hash === redis ? redis[:url] || true : redis
        return Store::Redis::Address.of(NAME, url) unless url == true || String === url

        url = ENV.fetch("REDIS_URL", Store::Redis::Address::DEFAULT) if url == true
        return Store::Redis::Address.of(url, options.except(:url)) if url.match?(/[?&]store=/)

        Store::Redis::Address.of(name, { **options, url: url })
      end

      def read(turn)
        arguments = [turn.token.to_s, milliseconds(turn_lasts), @max_bytes + Envelope::HEAD]
        answer = run(Scripts::LOAD, turn, *arguments)
        answer = run(Scripts::LOAD, turn, *arguments) if answer.nil? && guard { @names.bring(turn.digest) }
        return answer == "foreign" ? :foreign : answer unless Integer === answer

        turn.place, pause = answer.divmod(Queue::PLACES)
        turn.pause = pause / 1000.0
        :held
      end

      def put(digest, value, lifetime)
        guard { @connection.save("SET", @names.of("session", digest), value, "PX", milliseconds(lifetime)) }
      end

      def swap(turn, expected, sequence, value, lifetime)
        arguments = [turn.token.to_s, expected, sequence, value, milliseconds(lifetime)]
        answer = run(Scripts::SAVE, turn, *arguments, saves: true)
        Integer === answer ? answer == 1 : answer
      end

      def remove(digest)
        before = guard { @names.remove_old(digest) }
        here = run(Scripts::REMOVE, Turn.new(digest), "", saves: true) == 1
        guard { @names.remove_old(digest, saves: true) } if before
        here || before
      end

      def quarantine_value(turn, sequence) = run(Scripts::QUARANTINE, turn, "", sequence) == 1

      def end_turn(turn) = run(Scripts::END_TURN, turn, turn.token)

      def run(script, turn, *arguments, saves: false)
        guard { @connection.run(script, @names.all(turn.digest), arguments, saves: saves) }
      rescue Unavailable => e
        raise if ClusterNames === @names || !e.message.include?("CROSSSLOT")

        @names = ClusterNames.new(@name, @connection) # the address is that of a cluster
        retry
      end

      def milliseconds(seconds) = (seconds * 1000).ceil

      def guard
        yield
      rescue StoreUnavailable, CorruptStore => e
        raise Unavailable, e.message
      end
    end
  end
end

require_relative "redis/scripts" # first, because it reports a missing gem
require_relative "redis/clients"
require_relative "redis/keeper"
require_relative "redis/key_names"
