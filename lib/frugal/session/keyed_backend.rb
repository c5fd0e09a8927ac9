# frozen_string_literal: true

require "digest"
require "securerandom"
require_relative "backend"
require_relative "envelope"

module Frugal
  module Session
    # What the backends share that keep a session under a key. The key is the SHA-256 of the private id.
    #
    # The turn of a session is a key, too, with a token and an expiry ({#lease}): if the process that has it is killed,
    # others wait no longer than that. A request that has waited too long, or has lost its turn, goes on: at its commit,
    # the sequence shows that the session is another one by now, and both are merged.
    #
    # A subclass has these methods. Each is done completely or not at all, and may raise {Unavailable}:
    #
    # [read(turn)]         the value, with the turn if `turn` has a token; nil if there is none, `:held` if somebody
    #                      else has the turn, `:foreign` for a value that was no session and was put away
    # [put(digest, value, lifetime)]
    # [swap(turn, expected, sequence, value, lifetime)]
    #                      replaces the value with the sequence `expected`, and ends the turn: true. Another present
    #                      value is returned; false if there is none
    # [remove(digest)]
    # [put_away(turn, sequence)]
    #                      moves the value with that sequence out of the way; returns whether it did
    # [end_turn(turn)]
    #
    # It may also have `await(turn)`, its way to wait for a turn; the one that is here asks again with growing pauses.
    class KeyedBackend
      include Backend

      # The turn of a request: the session, and the token, which is nil if it has no turn. The others are for a
      # subclass.
      Turn = Struct.new(:digest, :token, :pause, :place)

      ATTEMPTS = 100 # to save a change, of which
      UNORDERED = 3  # before it waits for the turn, since others have been faster each time
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

      # @return [Stored, Symbol, nil] `:deleted` for a session that was there when the wait began, and is gone after it
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

      # A turn that cannot be ended now ends by itself.
      def release(stored)
        turn = stored.handle
        leave(turn) if turn.token
      ensure
        drop(turn)
      end

      def discard(stored)
        put_away(stored.handle, stored.sequence)
      rescue Unavailable
        false
      ensure
        release(stored)
      end

      private

      # @return [Object, nil] what {Turn} keeps for a request that wants the turn; nil if there are no turns
      def new_token(_digest) = SecureRandom.hex(8)

      # For a turn that was not had, or is lost.
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

      # @return [Numeric] seconds after which a turn ends by itself
      def lease = [@lock_wait, SHORTEST_LEASE].max

      def waited = "a request waited #{@lock_wait} s for another one of its session, and goes on beside it"

      # With `lock: false`, many requests may change a session at once, and each wants to be saved.
      def queue_up(turn)
        return if turn.token

        turn.token = new_token(turn.digest)
        value = read(turn)
        value = await(turn) if value == :held
        drop(turn) if value == :held
      end

      # @yield when it has waited in vain
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

      # Waits until `turn` has the turn, at most `lock_wait` seconds: asks again with growing pauses, which differ by
      # request.
      #
      # @return [String, Symbol, nil] see `read`; `:held` if it has waited in vain
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
