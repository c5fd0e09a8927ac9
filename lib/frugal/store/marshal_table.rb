# frozen_string_literal: true

module Frugal
  class Store
    # The table of a transaction, in place of the Hash that Marshal.load would
    # make of the file: roots are decoded when they are asked for. What else a
    # Hash can do is done by one, of all of them.
    #
    # Cost: a root is decoded in the time that its own bytes take, found by a
    # table of keys; roots that share objects are decoded together.
    class MarshalTable < BasicObject
      # What a program cannot change in place.
      IMMUTABLE = [::Integer, ::Symbol, ::NilClass, ::TrueClass, ::FalseClass, ::Float].freeze
      private_constant :IMMUTABLE

      def initialize(index)
        @index = index
        @read = {}  # number => value, decoded or set
        @set = @removed = @added = @whole = nil
      end

      def [](key)
        return @whole[key] if @whole

        number = @index.find(key)
        return @added && @added[key] if number.nil? || @removed&.key?(number)

        @read.fetch(number) { decode(number) }
      end

      def []=(key, value)
        return @whole[key] = value if @whole

        number = @index.find(key)
        if number.nil? || @removed&.key?(number)
          (@added ||= {})[key] = value
        else
          (@set ||= {})[number] = true
          @read[number] = value
        end
      end

      def key?(key)
        return @whole.key?(key) if @whole

        number = @index.find(key)
        number.nil? || @removed&.key?(number) ? !@added.nil? && @added.key?(key) : true
      end

      def delete(key)
        return @whole.delete(key) if @whole

        value = self[key]
        number = @index.find(key)
        if number.nil? || @removed&.key?(number)
          @added&.delete(key)
        else
          (@removed ||= {})[number] = true
          @read.delete(number)
        end
        value
      end

      def keys
        return @whole.keys if @whole

        keys = @index.keys
        keys = keys.reject.with_index { |_, number| @removed.key?(number) } if @removed
        @added ? keys.concat(@added.keys) : keys
      end

      # @return [Array(Array, Array, Hash), nil] numbers of the roots that may have
      #   changed, of those that went, and what came; nil: see to_hash
      def changes
        return if @whole

        changed = @read.filter_map { |number, value| number unless !@set&.key?(number) && immutable?(value) }
        [changed, @removed ? @removed.keys.sort : [], @added || {}]
      end

      # @return [Array] the values of roots that {changes} named
      def values_of(numbers) = @read.values_at(*numbers)

      # @param bytes [String] of the file; nil: those of the index
      # @return [Hash] the table as a whole, which it is from now on
      def to_hash(bytes = nil)
        @whole ||= complete(::Marshal.load(bytes || @index.bytes))
      end

      def ==(other) = to_hash == other

      private

      def decode(number)
        value = @index.load(number)
        return @read[number] = value unless @index.equal?(value)

        group = @index.group(number)
        ::Marshal.load(@index.dump_of(group)).each_with_index do |one, at|
          other = group[at]
          @read[other] = one unless @read.key?(other) || @removed&.key?(other)
        end
        @read[number]
      end

      def complete(whole)
        keys = whole.keys
        @read.each { |number, value| whole[keys[number]] = value }
        @removed&.each_key { |number| whole.delete(keys[number]) }
        @added ? whole.update(@added) : whole
      end

      def immutable?(value) = IMMUTABLE.any? { |type| type === value }

      def method_missing(name, ...) = to_hash.public_send(name, ...)

      def respond_to_missing?(name, include_private = false) = to_hash.respond_to?(name, include_private)
    end
  end
end
