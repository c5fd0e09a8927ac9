# frozen_string_literal: true

require_relative "deadlines"

module Frugal
  class Store
    # The table of a transaction whose file has roots with deadlines: hides expired roots of
    # the table of all roots. Not needed for a file without deadlines.
    class ExpiringTable
      include Expiry::Table

      # @return [Deadlines] the deadlines at the transaction's start; after {settled}, at its end
      attr_reader :deadlines

      # @param table [Hash, MarshalTable]
      # @param deadlines [Deadlines]
      def initialize(table, deadlines)
        @table = table
        @deadlines = deadlines
        @changes = {} # encoded key => new deadline, or nil
        @now = Expiry.now
        @touched = false
      end

      def [](key) = hidden?(key) ? nil : @table[key]
      def key?(key) = !hidden?(key) && @table.key?(key)

      def []=(key, value)
        change(key, value)
        set(key, nil)
      end

      # An expired root is deleted first, so the new root comes after all others.
      def change(key, value)
        delete(key) if hidden?(key)
        @touched = true
        @table[key] = value
      end

      def delete(key)
        value = self[key]
        @touched = true
        @table.delete(key)
        set(key, nil)
        value
      end

      def keys
        return @table.keys - [Expiry::ROOT] if @deadlines.none?(@now)

        @table.keys.reject { |key| hidden?(key) }
      end

      def expire(key, milliseconds)
        return false unless key?(key)

        set(key, milliseconds && (Expiry.now + milliseconds))
        true
      end

      def ttl(key)
        deadline = deadline(key) if key?(key)
        deadline && (deadline - @now)
      end

      # @param limit [Integer] the largest number of expired roots to remove
      # @return [Hash, MarshalTable] the table of all roots, with the deadlines
      def settled(limit = Expiry::SWEPT)
        sweep(limit) if @touched || limit != Expiry::SWEPT
        return @table if @changes.empty?

        @deadlines = @deadlines.merge(@changes)
        @changes = {}
        @deadlines.empty? ? @table.delete(Expiry::ROOT) : @table[Expiry::ROOT] = @deadlines.to_h
        @table
      end

      private

      def hidden?(key)
        return true if Expiry::ROOT == key
        return false if @changes.empty? && @deadlines.none?(@now)

        deadline = deadline(key)
        !deadline.nil? && deadline <= @now
      end

      def deadline(key)
        encoded = @deadlines.encode(key)
        @changes.fetch(encoded) { @deadlines[encoded] }
      end

      def set(key, deadline)
        encoded = @deadlines.encode(key)
        return if deadline.nil? && @changes.fetch(encoded) { @deadlines[encoded] }.nil?

        @touched = true
        @changes[encoded] = deadline
      end

      # Removes expired roots, except those with a new deadline.
      def sweep(limit)
        @deadlines.expired(@now, limit).each do |encoded|
          next if @changes.key?(encoded)

          @table.delete(@deadlines.decode(encoded))
          @changes[encoded] = nil
        end
      end
    end
  end
end
