# frozen_string_literal: true

module Frugal
  class Store
    # One transaction, on an engine's table of roots: an object that has +[]+, +[]=+,
    # +key?+, +delete+ and +keys+ as a Hash has them. A table that can find the keys with a
    # prefix without reading all keys also has +keys_with+.
    class Transaction
      NOTHING = Object.new.freeze
      private_constant :NOTHING

      attr_reader :table

      def initialize(table, serializer, read_only)
        @table = table
        @serializer = serializer
        @read_only = read_only
        @aborted = false
      end

      def abort
        @aborted = true
      end

      def aborted? = @aborted

      def [](key)
        @serializer.check_key(key)
        @table[key]
      end

      def []=(key, value)
        check_change(key)
        @table[key] = value
      end

      def fetch(key, default = NOTHING)
        value = self[key]
        return value unless value.nil? && !@table.key?(key)
        return yield(key) if block_given?
        return default unless NOTHING.equal?(default)

        raise KeyError.new("the store has no root #{key.inspect}", receiver: @table.keys, key: key)
      end

      def delete(key)
        check_change(key)
        @table.delete(key)
      end

      def update(key)
        check_change(key)
        @table[key] = yield(@table[key])
      end

      def key?(key)
        @serializer.check_key(key)
        @table.key?(key)
      end

      def keys(prefix)
        case prefix
        when nil then @table.keys
        when String, Symbol then @table.respond_to?(:keys_with) ? @table.keys_with(prefix) : select(prefix)
        else raise UsageError, "prefix: must be a String or a Symbol (got #{prefix.inspect})"
        end
      end

      def each(prefix)
        keys(prefix).each { |key| yield(key, @table[key]) }
      end

      private

      def check_change(key)
        raise UsageError, "a read-only transaction cannot change roots: call transaction without true" if @read_only

        @serializer.check_key(key)
      end

      # Compares bytes, because the keys may have several encodings.
      def select(prefix)
        text = prefix.to_s
        start = text.b
        @table.keys.select do |key|
          key.instance_of?(prefix.class) && key.to_s.b.start_with?(start) &&
            (text.ascii_only? || key.encoding == text.encoding)
        end
      end
    end
  end
end
