# frozen_string_literal: true

require_relative "../store"
require_relative "keyed_backend"

module Frugal
  module Session
    # Keeps sessions in one SQLite file, a {Store}: the backend of {Middleware} for `sqlite:`. All sessions share one
    # lock for writing. The turn of a session is a lock in the file `PATH-turn`, which the system releases when its
    # process ends; the token of a {Turn} is that file.
    #
    # *Cost*: a transaction that reads, and for a changed session one that writes; three calls for the turn.
    class SQLiteBackend < KeyedBackend
      BINARY = "base64:" # the prefix of bytes that are not valid text, in JSON
      SLOT_DIGITS = 6 # the first hexadecimal digits of the digest
      private_constant :BINARY, :SLOT_DIGITS

      # @param path [String, #to_path] in a directory that exists
      # @raise [UsageError]
      def initialize(path, **options)
        super(**options)
        @store = Store.new(path, engine: :sqlite, durability: :atomic, serializer: :json)
      end

      private

      # Slot 0 is for the store's writers. Among millions of sessions, two may have the same slot, and then wait for
      # each other.
      def new_token(digest) = Store::SQLite::Turns.open(@store.path, [digest[0, SLOT_DIGITS].hex, 1].max)

      # A request with an unknown id does not wait.
      def read(turn)
        return value_of(turn) unless turn.token && Wait.for_turn(turn.token, 0) == false

        :held if transaction(true) { @store.key?("session:#{turn.digest}") }
      end

      def await(turn) = Wait.for_turn(turn.token, @lock_wait) == false ? :held : value_of(turn)

      def drop(turn)
        turn.token&.close
        super
      end

      def value_of(turn)
        key = "session:#{turn.digest}"
        raw, left = transaction(true) { [@store[key], @store.ttl(key)] }
        return unless raw

        value = decoded(raw)
        found = Envelope.unpack(value) if value && value.bytesize <= @max_bytes + Envelope::HEAD
        return transaction { move_to_quarantine(key, turn) if @store[key] == raw } && :foreign unless found

        transaction { @store.expire(key, found.lifetime) } unless young?(left, found.lifetime)
        value
      end

      def put(digest, value, lifetime)
        transaction { @store.write("session:#{digest}", encoded(value), expires_in: lifetime) }
      end

      def swap(turn, expected, _sequence, value, lifetime)
        key = "session:#{turn.digest}"
        transaction do
          present = @store[key]
          present &&= decoded(present).to_s
          next present if present && Envelope.unpack(present)&.sequence != expected
          next false unless present

          @store.write(key, encoded(value), expires_in: lifetime)
          true
        end
      end

      def remove(digest) = transaction { !@store.delete("session:#{digest}").nil? }

      def quarantine_value(turn, sequence)
        key = "session:#{turn.digest}"
        transaction do
          present = @store[key]
          next false unless present && Envelope.unpack(decoded(present).to_s)&.sequence == sequence

          move_to_quarantine(key, turn)
        end
      end

      def end_turn(turn) = drop(turn)

      # Moves the value to another key, which expires when the session would have expired.
      def move_to_quarantine(key, turn)
        @store.write("quarantine:#{turn.digest}", @store[key], expires_in: @store.ttl(key))
        @store.delete(key)
        true
      end

      # The deadline is set again after an eighth of the session's lifetime.
      def young?(left, lifetime) = left && (lifetime - left).abs <= lifetime / 8.0

      def encoded(value)
        text = value.dup.force_encoding(Encoding::UTF_8)
        text.valid_encoding? ? text : BINARY + [value].pack("m0")
      end

      # @return [String, nil] nil for a value that is not a String
      def decoded(value)
        return unless value.is_a?(String)

        value.start_with?(BINARY) ? value.byteslice(BINARY.size..).unpack1("m").b : value.b
      end

      def transaction(read_only = false, &block)
        @store.transaction(read_only, &block)
      rescue Error, SystemCallError, IOError => e
        raise e.is_a?(Unavailable) ? e : Unavailable.new(e.message)
      end
    end
  end
end
