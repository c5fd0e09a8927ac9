# frozen_string_literal: true

require_relative "root_key"

module Frugal
  class Store
    # The table of a transaction whose roots are rows: each is read when it is asked
    # for, and one that was read or set is dumped again at the end, since it may have
    # been changed in place. A root is a row of its own: what two of them share they
    # share in a transaction at most.
    class SQLiteTable
      def initialize(connection, serializer)
        @connection = connection
        @serializer = serializer
        @values = {} # of roots that are there, by their encoded keys
        @bytes = {}  # that the file has; nil: it has not
        @gone = {}   # what the file has, and is to lose
      end

      def [](key)
        bytes = encode(key)
        @values.fetch(bytes) { read(bytes) }
      end

      def []=(key, value)
        @values[encode(key)] = value
      end

      def key?(key)
        bytes = encode(key)
        return true if @values.key?(bytes)
        return false if @gone.key?(bytes)

        read(bytes)
        !@bytes[bytes].nil?
      end

      def delete(key)
        value = self[key]
        bytes = encode(key)
        @values.delete(bytes)
        @gone[bytes] = true
        value
      end

      def keys = all(@connection.column(:keys), @values.keys)

      # @param prefix [String, Symbol]
      def keys_with(prefix)
        ranges = RootKey.ranges(prefix, @serializer)
        mine = @values.keys.select { |bytes| ranges.any? { |first, last| bytes >= first && bytes < last } }
        all(@connection.column(:keys_between, *ranges.flatten), mine)
      end

      # Writes what has changed; the rest of the transaction is the caller's.
      #
      # @raise [TypeError] before anything is written
      def save
        dumps = @values.transform_values { |value| @serializer.dump_value(value).b }
        @gone.each_key { |bytes| @connection.first(:delete, bytes) }
        dumps.each do |bytes, dump|
          @connection.first(:put, bytes, dump) unless @bytes[bytes] == dump && !@gone.key?(bytes)
        end
      end

      private

      def encode(key) = RootKey.encode(key, @serializer)

      def read(bytes)
        return if @gone.key?(bytes)

        dump = @bytes.fetch(bytes) { @bytes[bytes] = @connection.first(:value, bytes)&.first }
        @values[bytes] = @serializer.load_value(dump) if dump
      end

      # @param there [Array<String>] encoded keys that the file has, in order
      # @param mine [Array<String>] that this transaction has
      def all(there, mine)
        there.reject! { |bytes| @gone.key?(bytes) } unless @gone.empty?
        unless mine.empty?
          known = there.to_h { |bytes| [bytes, true] }
          there.concat(mine.reject { |bytes| known.key?(bytes) })
        end
        there.map { |bytes| RootKey.decode(bytes, @serializer) }
      end
    end
  end
end
