# frozen_string_literal: true

require_relative "expiry"
require_relative "root_key"

module Frugal
  class Store
    # The table of a transaction (see {Transaction}) of an engine that keeps each root in a
    # separate place. A root is read when the program asks for it. {#changes} dumps each root
    # that was read or set, because the program may have modified it in place. Two roots that
    # share an object share it only within one transaction.
    #
    # An engine's table has:
    # [fetch(bytes)]      the dump of a root in the store, or nil; called once for a key
    # [stored_keys(ranges)] the encoded keys in the store, in order; with ranges of {RootKey}, only the keys in them
    # [stored_ttl(bytes)] how many milliseconds are left until a root of the store expires; nil: no deadline
    class RootTable
      include Expiry::Table

      # A change of one root: +kind+ is +:delete+, +:put+ (+dump+ is the new value) or +:expire+.
      # +expires+ is a number of milliseconds; nil: no deadline; +:kept+: the deadline of the stored root.
      Change = Struct.new(:kind, :key, :dump, :expires)

      def initialize(serializer)
        @serializer = serializer
        @values = {}  # encoded key => value of a root that was read or set
        @dumps = {}   # encoded key => its dump in the store; nil if the store has no such root
        @deleted = {} # encoded keys of roots to delete
        @expiries = {} # encoded key => milliseconds, or nil for no deadline, of a root that was set
      end

      def [](key)
        bytes = encode(key)
        @values.fetch(bytes) { read(bytes) }
      end

      def []=(key, value)
        bytes = encode(key)
        @values[bytes] = value
        @expiries[bytes] = nil
      end

      def change(key, value)
        @values[encode(key)] = value
      end

      def key?(key)
        bytes = encode(key)
        return true if @values.key?(bytes)
        return false if @deleted.key?(bytes)

        read(bytes)
        !@dumps[bytes].nil?
      end

      def delete(key)
        value = self[key]
        bytes = encode(key)
        [@values, @expiries].each { |table| table.delete(bytes) }
        @deleted[bytes] = true
        value
      end

      # @return [Boolean] whether there is such a root
      def expire(key, milliseconds)
        return false unless key?(key)

        @expiries[encode(key)] = milliseconds
        true
      end

      def ttl(key)
        return unless key?(key)

        bytes = encode(key)
        @expiries.fetch(bytes) { stored_ttl(bytes) unless @deleted.key?(bytes) }
      end

      def keys = decoded(stored_keys(nil), @values.keys)

      # @param prefix [String, Symbol]
      def keys_with(prefix)
        ranges = RootKey.ranges(prefix, @serializer).uniq
        own = @values.keys.select { |bytes| ranges.any? { |first, last| bytes >= first && bytes < last } }
        decoded(stored_keys(ranges), own)
      end

      # @return [Array<Object>] the keys; an engine may read the values with them
      def keys_with_values(prefix) = prefix ? keys_with(prefix) : keys

      # Reads the roots with these keys at once, if the engine supports it.
      def preload(_keys) = nil

      # @return [Array<Object>] keys for the suggestions of a KeyError
      def known_keys = keys

      # The changes that must be written, in this order.
      #
      # @return [Array<Change>]
      # @raise [TypeError] for an object that the serializer cannot dump
      def changes
        dumps = @values.transform_values { |value| @serializer.dump_value(value).b }
        deleted = @deleted.keys.reject { |bytes| absent?(bytes) }.map { |bytes| Change.new(:delete, bytes) }
        deleted.concat(dumps.filter_map { |bytes, dump| change_of(bytes, dump) })
      end

      private

      def encode(key) = RootKey.encode(key, @serializer)

      def absent?(bytes) = @dumps.key?(bytes) && @dumps[bytes].nil?

      def change_of(bytes, dump)
        expires = @expiries.fetch(bytes, :kept)
        return Change.new(:put, bytes, dump, expires) if @deleted.key?(bytes) || @dumps[bytes] != dump

        Change.new(:expire, bytes, nil, expires) unless expires == :kept || (expires.nil? && !stored_deadline?(bytes))
      end

      # Whether a root that was read has a deadline in the store.
      def stored_deadline?(bytes) = !stored_ttl(bytes).nil?

      def read(bytes)
        return if @deleted.key?(bytes)

        dump = @dumps.fetch(bytes) { @dumps[bytes] = fetch(bytes) }
        @values[bytes] = @serializer.load_value(dump) if dump
      end

      # @param stored [Array<String>] the encoded keys in the store, in order
      # @param own [Array<String>] the encoded keys of roots that this transaction read or set
      # @return [Array<Object>] the decoded keys; new roots come last
      def decoded(stored, own)
        stored.reject! { |bytes| @deleted.key?(bytes) } unless @deleted.empty?
        unless own.empty?
          present = stored.to_h { |bytes| [bytes, true] }
          stored.concat(own.reject { |bytes| present.key?(bytes) })
        end
        stored.map { |bytes| RootKey.decode(bytes, @serializer) }
      end
    end
  end
end
