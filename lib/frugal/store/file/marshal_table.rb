# frozen_string_literal: true

require_relative "../../native"

module Frugal
  class Store
    # The table of a transaction, in place of the Hash that Marshal.load would return for
    # the file. It decodes a root when the program reads it. A call of any other method of
    # Hash decodes all roots into a Hash. The pure engine does not have this class; it loads
    # its tables as a whole.
    #
    # *Cost*: a table of keys finds a root, and the time to decode it depends only on the
    # root's bytes. Roots that share objects are decoded together.
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

      # @return [Array(Array, Array, Hash), nil] the numbers of the roots that may have
      #   changed, the numbers of the removed roots, and the added roots; nil after {to_hash}
      def changes = whole ? nil : [read.keys.sort!, removed.keys.sort!, added]

      # Must be called when the index has new numbers for the roots. A program that still has
      # the table after its transaction reads from the updated index.
      def renumber = [read, removed, added].each(&:clear)

      # @return [Array] the values of the roots with these numbers, which {changes} returned
      def values_of(numbers) = read.values_at(*numbers)

      # @param bytes [String] of the file; nil: the bytes of the index
      # @return [Hash] all roots; the table delegates to this Hash from now on
      def to_hash(bytes = nil) = whole || become(complete(::Marshal.load(bytes || index.bytes)))

      def ==(other) = to_hash == other

      private

      # Called by the engine for a root that is not a simple value.
      def decode(number)
        value = index.load(number)
        return read[number] = value unless index.equal?(value) # load returns the index if the root shares objects

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
