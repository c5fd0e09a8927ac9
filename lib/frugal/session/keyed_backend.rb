# frozen_string_literal: true

require "digest"
require "securerandom"
require_relative "backend"
require_relative "envelope"

module Frugal
  module Session
    # The base class of backends that keep a session under a key. The key is the SHA-256 of the private id.
    #
    # The turn of a session is a key, too, with a token and an expiry ({#lease}), which limits the wait of others if the
    # process that has the turn is killed. A request that has waited too long, or has lost its turn, goes on: at its
    # commit, the sequence shows that the session was changed meanwhile, and both versions are merged.
    #
    # A subclass has these methods. Each is done completely or not at all, and may raise {Unavailable}:
    #
    # [read(turn)]         the value, and takes the turn if `turn` has a token; nil if there is no value, `:held` if
    #                      another request has the turn, `:foreign` for a value that is not a session and was moved
    # [put(digest, value, lifetime)]
    # [swap(turn, expected, sequence, value, lifetime)]
    #                      replaces the value that has the sequence `expected`, ends the turn and returns true. If the
    #                      present value has another sequence, returns that value; false if there is no value
    # [remove(digest)]
    # [quarantine_value(turn, sequence)]
    #                      moves the value with that sequence out of the way; returns whether it did
    # [end_turn(turn)]
    #
    # It may override `await(turn)`, which waits for a turn; the default asks again with growing pauses.
    class KeyedBackend
      include Backend

      # The turn of a request: the digest of the session, and the token, which is nil if the request has no turn.
      # `pause` and `place` are for subclasses.
      Turn = Struct.new(:digest, :token, :pause, :place)

      ATTEMPTS = 100 # to save a change
      UNORDERED = 3  # attempts before it waits for the turn, because other requests were faster each time
      FIRST_PAUSE = 0.0005 # seconds
      LONGEST_PAUSE = 0.01
      SHORTEST_LEASE = 1.0
      private_constant :ATTEMPTS, :UNORDERED, :FIRST_PAUSE, :LONGEST_PAUSE, :SHORTEST_LEASE

      # @param lock_wait [Numeric] seconds
      # @param max_bytes [Integer] of a session
      def initialize(lock_wait: 5, max_bytes: 1 << 24)
        @lock_wait = lock_wait
        @max_bytes = max_bytes
      end

      # @return [Stored, Symbol, nil] `:deleted` for a session that was deleted during the wait
      def load(id, wants_turn, &report)
        digest = Digest::SHA256.hexdigest(id)
        turn = Turn.new(digest, (new_token(digest) if wants_turn))
        found = found(id, turn, &report)
        answered = true
        found
      rescue Unavailable
        answered = true
        raise
      ensure
        leave(turn) if turn&.token && !answered # the thread was interrupted, maybe before it had the answer
        drop(turn) if turn && !found.is_a?(Stored)
      end

      def create(id, bytes, format, lifetime)
        check_size(bytes)
        put(Digest::SHA256.hexdigest(id), Envelope.pack(bytes, format, lifetime, new_sequence), lifetime)
        true
      end

      def commit(stored, bytes, format, lifetime)
        turn = stored.handle
        expected = stored.sequence
        ATTEMPTS.times do |attempt|
          queue_up(turn) if attempt == UNORDERED
          check_size(bytes)
          sequence = new_sequence
          answer = swap(turn, expected, sequence, Envelope.pack(bytes, format, lifetime, sequence), lifetime)
          drop(turn) unless answer.is_a?(String)
          return answer unless answer.is_a?(String)

          current = Envelope.unpack(answer) or raise Unavailable, "another program has replaced it"
          expected = current.sequence
          bytes, format = yield current.bytes, current.format
        end
        raise Conflict, "other requests have changed it #{ATTEMPTS} times meanwhile"
      end

      def delete(id) = remove(Digest::SHA256.hexdigest(id))

      # A turn that cannot be ended now expires.
      def release(stored)
        turn = stored.handle
        leave(turn) if turn.token
      ensure
        drop(turn)
      end

      def quarantine(stored)
        quarantine_value(stored.handle, stored.sequence)
      rescue Unavailable
        false
      ensure
        release(stored)
      end

      private

      # @return [Object, nil] the token in {Turn} for a request that wants the turn; nil if there are no turns
      def new_token(_digest) = SecureRandom.hex(8)

      # Forgets a turn that the request did not get, or has lost.
      def drop(turn) = turn.token = nil

      def found(id, turn)
        value = read(turn)
        value = wait(turn) { yield :waited, waited } if value == :held
        if value == :foreign
          yield :quarantined, "a session's value is no session"
          return
        end
        value.is_a?(String) ? stored(id, value, turn) : value
      end

      def leave(turn)
        end_turn(turn)
      rescue Unavailable
        nil
      end

      # @return [Numeric] seconds after which a turn expires
      def lease = [@lock_wait, SHORTEST_LEASE].max

      def waited = "a request waited #{@lock_wait} s for another one of its session, and goes on beside it"

      # With `lock: false`, many requests may change a session at once. A request that has failed to save takes the
      # turn.
      def queue_up(turn)
        return if turn.token

        turn.token = new_token(turn.digest)
        value = read(turn)
        value = await(turn) if value == :held
        drop(turn) if value == :held
      end

      # @yield if the wait timed out
      # @return [String, Symbol] see `read`; `:deleted` instead of nil
      def wait(turn)
        value = await(turn)
        if value == :held
          yield
          drop(turn)
          value = read(turn)
        end
        value.nil? ? :deleted : value
      end

      # Waits until the request has its turn, at most `lock_wait` seconds. Asks again with growing, random pauses.
      #
      # @return [String, Symbol, nil] see `read`; `:held` if the wait timed out
      def await(turn)
        limit = now + @lock_wait
        pause = FIRST_PAUSE
        while now < limit
          sleep(pause * (0.5 + rand))
          pause = [pause * 2, LONGEST_PAUSE].min
          value = read(turn)
          return value unless value == :held
        end
        :held
      end

      def stored(id, value, turn)
        found = Envelope.unpack(value)
        Stored.new(id, found.bytes, found.format, found.lifetime, found.sequence, turn)
      end

      def check_size(bytes)
        return if bytes.bytesize <= @max_bytes

        raise Unavailable, "it has #{bytes.bytesize} bytes, more than max_bytes: #{@max_bytes}"
      end

      def new_sequence = SecureRandom.hex(8)

      def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end
end
