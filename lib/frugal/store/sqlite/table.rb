# frozen_string_literal: true

require_relative "root_key"

module Frugal
  class Store
    module SQLite
      # The table of a transaction (see {Transaction}) whose roots are rows. A root is
      # read when the program asks for it. {#save} dumps each root that was read or set,
      # because the program may have modified it in place. Two roots that share an object
      # share it within one transaction only: each row has its own copy.
      class Table
        def initialize(connection, serializer)
          @connection = connection
          @serializer = serializer
          @values = {}  # encoded key => value of a root that was read or set
          @bytes = {}   # encoded key => its dump in the file; nil if the file has no such row
          @deleted = {} # encoded keys of rows to delete
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
          return false if @deleted.key?(bytes)

          read(bytes)
          !@bytes[bytes].nil?
        end

        def delete(key)
          value = self[key]
          bytes = encode(key)
          @values.delete(bytes)
          @deleted[bytes] = true
          value
        end

        def keys = merge_keys(@connection.column(:keys), @values.keys)

        # @param prefix [String, Symbol]
        def keys_with(prefix)
          ranges = RootKey.ranges(prefix, @serializer)
          own = @values.keys.select { |bytes| ranges.any? { |first, last| bytes >= first && bytes < last } }
          merge_keys(@connection.column(:keys_between, *ranges.flatten), own)
        end

        # Writes what has changed. The caller begins and commits the transaction.
        #
        # @raise [TypeError] before anything is written
        def save
          dumps = @values.transform_values { |value| @serializer.dump_value(value).b }
          @deleted.each_key { |bytes| @connection.first(:delete, bytes) }
          dumps.each do |bytes, dump|
            @connection.first(:put, bytes, dump) unless @bytes[bytes] == dump && !@deleted.key?(bytes)
          end
        end

        private

        def encode(key) = RootKey.encode(key, @serializer)

        def read(bytes)
          return if @deleted.key?(bytes)

          dump = @bytes.fetch(bytes) { @bytes[bytes] = @connection.first(:value, bytes)&.first }
          @values[bytes] = @serializer.load_value(dump) if dump
        end

        # @param stored [Array<String>] the encoded keys in the file, in order
        # @param own [Array<String>] the encoded keys of roots that this transaction read or set
        # @return [Array<Object>] the decoded keys; new roots come last
        def merge_keys(stored, own)
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
end
