# frozen_string_literal: true

require_relative "expiry"
require_relative "root_table"
require_relative "file/expiring_table"

module Frugal
  class Store
    # One transaction, on an engine's table of roots: an object with the methods +[]+, +[]=+,
    # +key?+, +delete+ and +keys+ of a Hash. A {RootTable} and an {Expiry::Table} have more. The
    # class of the table is checked, because +respond_to?+ would convert a MarshalTable to a Hash.
    class Transaction
      # The result of an engine for a transaction that must run again, because another process
      # has changed roots that it read.
      CONFLICT = Object.new.freeze
      NOTHING = Object.new.freeze
      private_constant :NOTHING

      attr_reader :table
      # The tag of the throw that ends the transaction: the table that it began with.
      attr_reader :tag

      def initialize(table, serializer, read_only)
        @table = @tag = table
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

        raise KeyError.new("the store has no root #{key.inspect}", receiver: known_keys, key: key)
      end

      def delete(key)
        check_change(key)
        @table.delete(key)
      end

      def update(key)
        check_change(key)
        value = yield(@table[key])
        Expiry::Table === @table ? @table.change(key, value) : @table[key] = value
        value
      end

      # @param expires_in [Numeric, nil] seconds
      def write(key, value, expires_in)
        milliseconds = Expiry.milliseconds(expires_in) unless expires_in.nil?
        self[key] = value
        expiring.expire(key, milliseconds) if milliseconds
        value
      end

      # @param seconds [Numeric, nil]
      def expire(key, seconds)
        check_change(key)
        milliseconds = Expiry.milliseconds(seconds) unless seconds.nil?
        return @table.key?(key) if milliseconds.nil? && !(Expiry::Table === @table)

        @table.key?(key) && expiring.expire(key, milliseconds)
      end

      # @return [Float, nil] seconds
      def ttl(key)
        @serializer.check_key(key)
        milliseconds = @table.ttl(key) if Expiry::Table === @table
        milliseconds && (milliseconds / 1000.0)
      end

      def values_at(keys)
        keys.each { |key| @serializer.check_key(key) }
        @table.preload(keys) if RootTable === @table
        keys.map { |key| @table[key] }
      end

      def key?(key)
        @serializer.check_key(key)
        @table.key?(key)
      end

      def keys(prefix)
        case prefix
        when nil then @table.keys
        when String, Symbol then RootTable === @table ? @table.keys_with(prefix) : select(prefix)
        else raise UsageError, "prefix: must be a String or a Symbol (got #{prefix.inspect})"
        end
      end

      def each(prefix)
        keys = RootTable === @table ? @table.keys_with_values(prefix) : keys(prefix)
        keys.each { |key| yield(key, @table[key]) }
      end

      # @return [Array<Array(Object, Object)>] the pairs that {each} yields
      def pairs(prefix)
        pairs = []
        each(prefix) { |*root| pairs << root }
        pairs
      end

      private

      def check_change(key)
        raise UsageError, "a read-only transaction cannot change roots: call transaction without true" if @read_only
        raise UsageError, "#{key.inspect} is the root in which a file keeps its deadlines" if Expiry::ROOT == key

        @serializer.check_key(key)
      end

      # The keys for the suggestions of a KeyError. A server is not asked again for them.
      def known_keys = RootTable === @table ? @table.known_keys : @table.keys

      # Only the table of a file without deadlines is not an {Expiry::Table}.
      def expiring
        @table = ExpiringTable.new(@table, Deadlines.new({}, @serializer)) unless Expiry::Table === @table
        @table
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
