# frozen_string_literal: true

module Frugal
  class Store
    # What can be done in one transaction, with an engine's table of roots:
    # whatever answers to +[]+, +[]=+, +key?+, +delete+ and +keys+ as a Hash does.
    # A table that can find a prefix faster than by all keys has +keys_with+.
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
        changes(key)
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
        changes(key)
        @table.delete(key)
      end

      def update(key)
        changes(key)
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
        else raise UsageError, "prefix: it is a String or a Symbol, not #{prefix.inspect}"
        end
      end

      def each(prefix)
        keys(prefix).each { |key| yield(key, @table[key]) }
      end

      private

      def changes(key)
        raise UsageError, "a read-only transaction changes nothing: use transaction { … } without true" if @read_only

        @serializer.check_key(key)
      end

      # By bytes: keys of several encodings may lie side by side.
      def select(prefix)
        text = prefix.to_s
        start = text.b
        @table.keys.select do |key|
          key.instance_of?(prefix.class) && key.to_s.b.start_with?(start) && (text.ascii_only? || key.encoding == text.encoding)
        end
      end
    end
  end
end
