# frozen_string_literal: true

require_relative "../store"
require_relative "keyed_backend"

module Frugal
  module Session
    # Keeps sessions in one SQLite file, a {Store}: the backend of {Middleware} for `sqlite:`. All sessions share one
    # lock for writing, and the turn of a session is a row, too.
    #
    # *Cost*: two transactions that write; with `lock: false` one for a changed session, and none for an unchanged one.
    class SQLiteBackend < KeyedBackend
      BINARY = "base64:" # in JSON, bytes that are no text
      private_constant :BINARY

      # @param path [String, #to_path] in a directory that exists
      # @raise [UsageError]
      def initialize(path, **options)
        super(**options)
        @store = Store.new(path, engine: :sqlite, durability: :atomic, serializer: :json)
      end

      private

      def read(turn)
        key, held = "session:#{turn.digest}", "turn:#{turn.digest}"
        transaction do
          value, holder = @store.values_at(key, held)
          next unless value

          value = decoded(value)
          found = Envelope.unpack(value) if value && value.bytesize <= @max_bytes + Envelope::HEAD
          next set_aside(key, turn) && :foreign unless found
          next :held if turn.token && holder && holder != turn.token

          @store.write(held, turn.token, expires_in: lease) if turn.token
          keep_young(key, found.lifetime)
          value
        end
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

          end_own(turn)
          next false unless present

          @store.write(key, encoded(value), expires_in: lifetime)
          true
        end
      end

      def remove(digest) = transaction { !@store.delete("session:#{digest}").nil? }

      def put_away(turn, sequence)
        key = "session:#{turn.digest}"
        transaction do
          present = @store[key]
          next false unless present && Envelope.unpack(decoded(present).to_s)&.sequence == sequence

          set_aside(key, turn)
        end
      end

      def end_turn(turn) = transaction { end_own(turn) }

      def end_own(turn)
        held = "turn:#{turn.digest}"
        @store.delete(held) if turn.token && @store[held] == turn.token
      end

      # It is removed when the session would have been.
      def set_aside(key, turn)
        @store.write("quarantine:#{turn.digest}", @store[key], expires_in: @store.ttl(key))
        @store.delete(key)
        true
      end

      # The deadline is set again after an eighth of the session's life.
      def keep_young(key, lifetime)
        left = @store.ttl(key)
        @store.expire(key, lifetime) unless left && (lifetime - left).abs <= lifetime / 8.0
      end

      def encoded(value)
        text = value.dup.force_encoding(Encoding::UTF_8)
        text.valid_encoding? ? text : BINARY + [value].pack("m0")
      end

      # @return [String, nil] nil for what is no text
      def decoded(value)
        return unless value.is_a?(String)

        value.start_with?(BINARY) ? value.byteslice(BINARY.size..).unpack1("m").b : value.b
      end

      def transaction(&block)
        @store.transaction(&block)
      rescue Error, SystemCallError, IOError => e
        raise e.is_a?(Unavailable) ? e : Unavailable.new(e.message)
      end
    end
  end
end
