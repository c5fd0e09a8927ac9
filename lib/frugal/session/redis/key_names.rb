# frozen_string_literal: true

module Frugal
  module Session
    class RedisBackend
      # The names of a session's keys. The braces make a cluster keep the keys of one session in one slot, and
      # distribute the sessions over its nodes.
      #
      # Older versions had one slot for all sessions: `frugal:{sessions}:session:SHA256`. {Scripts::LOAD} renames a
      # session that it finds there, atomically.
      class KeyNames
        KINDS = %w[session turn quarantine queue waits done].freeze
        private_constant :KINDS

        def initialize(name)
          @name = name
        end

        # @param digest [String] of a session
        # @return [Array<String>] the keys of each script
        def all(digest) = [*KINDS.map { |kind| of(kind, digest) }, old(digest)]

        def of(kind, digest) = "frugal:#{@name}:{#{digest}}:#{kind}"

        # @return [Boolean] whether a session was brought here from its old name
        def bring(_digest) = false

        # @return [Boolean] whether there was a session under the old name that no script deletes
        def remove_old(_digest, saves: false) = false # rubocop:disable Lint/UnusedMethodArgument

        private

        def old(digest) = "frugal:{#{@name}}:session:#{digest}"
      end

      # The same names in a cluster, where another node may have the old name. The session is copied to the new name,
      # then the old value is emptied. For some seconds, the empty value shows a request that looked for the new name
      # too early that the session was moved.
      #
      # Before a request copies the session, it makes a note in the new slot. A logout deletes the old value, then the
      # new value and the note, so a later copy is refused and cannot restore the session. A copy that was interrupted
      # before it emptied the old value leaves that value, which expires with the session, and which a logout deletes.
      class ClusterNames < KeyNames
        MOVING = 2_000 # milliseconds after which another request may copy the session
        MOVED = 10_000 # milliseconds that the empty value lasts
        ATTEMPTS = 60
        PAUSE = 0.02 # seconds

        # KEYS: the session, the note. ARGV: token, milliseconds. Returns "mine" if this request may copy the session,
        # "here" if it is there already.
        NOTE = Store::Redis::Script.new(<<~LUA)
          if redis.call('EXISTS', KEYS[1]) == 1 then return 'here' end
          if redis.call('GET', KEYS[2]) == ARGV[1] then return 'mine' end
          return redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) and 'mine'
        LUA
        # KEYS: as for NOTE. ARGV: token, value, milliseconds to live. Returns whether the new name has the session now.
        COPY = Store::Redis::Script.new(<<~LUA)
          if redis.call('EXISTS', KEYS[1]) == 1 then return 1 end
          if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
          redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
          redis.call('DEL', KEYS[2])
          return 1
        LUA
        # KEYS: the old name. Returns the value and its milliseconds to live; nothing unless the value is a string that
        # expires.
        READ = Store::Redis::Script.new(<<~LUA)
          local left = redis.call('TYPE', KEYS[1]).ok == 'string' and redis.call('PTTL', KEYS[1]) or 0
          return left > 0 and {redis.call('GET', KEYS[1]), left} or false
        LUA
        private_constant :MOVING, :MOVED, :ATTEMPTS, :PAUSE, :NOTE, :COPY, :READ

        def initialize(name, connection)
          super(name)
          @connection = connection
        end

        def all(digest) = super.first(6)

        # @return [Boolean] false if the old name had no session; true if it was moved, or deleted meanwhile
        # @raise [StoreUnavailable]
        def bring(digest)
          old = found(digest) or return false
          return true if old[0].empty?

          ATTEMPTS.times { moved?(digest, SecureRandom.hex(8)) ? (return true) : sleep(PAUSE) }
          raise StoreUnavailable, "another request has begun to move a session to its new name"
        end

        def remove_old(digest, saves: false)
          @connection.public_send(saves ? :save : :call, "UNLINK", old(digest)) == 1
        end

        private

        def moved?(digest, token)
          keys = [of("session", digest), "#{of("queue", digest)}:moving"]
          state = @connection.run(NOTE, keys, [token, MOVING])
          return state == "here" unless state == "mine"

          value, left = found(digest)
          return true if value.to_s.empty?
          return false unless @connection.run(COPY, keys, [token, value, left], saves: true) == 1

          @connection.call("SET", old(digest), "", "PX", MOVED)
          true
        end

        def found(digest) = @connection.run(READ, [old(digest)], [])
      end
    end
  end
end
