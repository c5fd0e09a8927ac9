# frozen_string_literal: true

require_relative "../native"

module Frugal
  class Store
    # The table of a transaction, in place of the Hash that Marshal.load would
    # make of the file: roots are decoded when they are asked for. What else a
    # Hash can do is done by one, of all of them. The C engine's alone: the pure
    # one loads its tables whole.
    #
    # Cost: a root is decoded in the time that its own bytes take, found by a
    # table of keys; roots that share objects are decoded together.
    class MarshalTable < Native.engine::MarshalTable
      def delete(key, &default)
        return to_hash.delete(key, &default) if whole || default

        value = self[key]
        number = index.find(key)
        if number.nil? || removed.key?(number)
          added.delete(key)
        else
          removed[number] = true
          read.delete(number)
        end
        value
      end

      def keys
        return whole.keys if whole

        index.keys.reject.with_index { |_, number| removed.key?(number) }.concat(added.keys)
      end

      # @return [Array(Array, Array, Hash), nil] numbers of the roots that may have
      #   changed, of those that went, and what came; nil: see {to_hash}
      def changes = whole ? nil : [read.keys.sort, removed.keys.sort, added]

      # The roots were numbered anew: what the table is asked from now on, outside a
      # transaction, the index answers.
      def renumber = [read, removed, added].each(&:clear)

      # @return [Array] the values of roots that {changes} named
      def values_of(numbers) = read.values_at(*numbers)

      # @param bytes [String] of the file; nil: those of the index
      # @return [Hash] the table as a whole, which it is from now on
      def to_hash(bytes = nil) = whole || become(complete(::Marshal.load(bytes || index.bytes)))

      def ==(other) = to_hash == other

      private

      # What is alone and not plain, and what shares objects with other roots.
      def decode(number)
        value = index.load(number)
        return read[number] = value unless index.equal?(value)

        group = index.group(number)
        ::Marshal.load(index.dump_of(group)).each_with_index do |one, at|
          other = group[at]
          read[other] = one unless read.key?(other) || removed.key?(other)
        end
        read[number]
      end

      def complete(table)
        keys = table.keys
        read.each { |number, value| table[keys[number]] = value }
        removed.each_key { |number| table.delete(keys[number]) }
        table.update(added)
      end

      def method_missing(name, ...) = to_hash.public_send(name, ...)

      def respond_to_missing?(name, include_private = false) = to_hash.respond_to?(name, include_private)
    end
  end
end
