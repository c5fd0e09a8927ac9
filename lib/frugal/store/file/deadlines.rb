# frozen_string_literal: true

require_relative "../expiry"
require_relative "../root_key"

module Frugal
  class Store
    # The deadlines of the roots of a file: the value of its root {Expiry::ROOT}. With Marshal, the
    # keys are encoded by {RootKey}, because two roots must not share the object of a key. Immutable.
    class Deadlines
      # @param table [Hash{Object => Integer}] encoded keys and milliseconds since the epoch
      # @raise [CorruptStore]
      def initialize(table, serializer)
        unless table.instance_of?(Hash) && table.each_value.all?(Integer)
          raise CorruptStore, "its root #{Expiry::ROOT.inspect} is not a table of deadlines"
        end

        @table = table
        @marshal = serializer.name == :marshal
        @serializer = serializer
        @earliest = table.each_value.min
      end

      # Reports whether no root has expired.
      def none?(now) = @earliest.nil? || @earliest > now

      # @param encoded [Object]
      # @return [Integer, nil]
      def [](encoded) = @table[encoded]

      def encode(key) = @marshal ? RootKey.encode(key, @serializer) : key
      def decode(encoded) = @marshal ? RootKey.decode(encoded, @serializer) : encoded

      # The expired roots, in the order of their deadlines.
      #
      # @return [Array<Object>] encoded keys
      def expired(now, limit)
        return [] if none?(now)

        @table.select { |_, deadline| deadline <= now }.min_by(limit, &:last).map(&:first)
      end

      # @param changes [Hash] encoded keys and their new deadlines, or nil
      # @return [Deadlines]
      def merge(changes) = Deadlines.new(@table.merge(changes).compact, @serializer)

      def empty? = @table.empty?
      def size = @table.size

      # @return [Hash] a copy
      def to_h = @table.dup
    end
  end
end
