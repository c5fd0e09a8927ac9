# frozen_string_literal: true

require_relative "../root_table"

module Frugal
  class Store
    module SQLite
      # The table of a transaction whose roots are rows. The table in the file has a column for
      # deadlines only from the first root with a deadline on.
      class Table < RootTable
        def initialize(connection, serializer)
          super(serializer)
          @connection = connection
          @deadlines = {} # encoded key => milliseconds since the epoch, of a root that was read
          @expiring = nil
        end

        # Writes the changes. The caller begins and commits the transaction.
        #
        # @raise [TypeError] before anything is written
        def save
          changes = self.changes
          return if changes.empty?

          make_expiring if !expiring? && changes.any? { |change| Integer === change.expires }
          changes.each { |change| expiring? ? write_expiring(change) : write(change) }
          @connection.first(:sweep, now, Expiry::SWEPT) if expiring?
        end

        private

        def expiring?
          @expiring = @connection.expiring? if @expiring.nil?
          @expiring
        end

        def make_expiring
          @connection.add_expiry
          @expiring = true
        end

        # The same time for the whole transaction.
        def now = @now ||= Expiry.now

        def fetch(bytes)
          return @connection.first(:value, bytes)&.first unless expiring?

          dump, @deadlines[bytes] = @connection.first(:value_expiring, bytes, now)
          dump
        end

        def stored_keys(ranges)
          values = ranges.to_a.flatten
          values.concat(values) if values.size == 2
          name = ranges ? :keys_between : :keys
          return @connection.column(name, *values) unless expiring?

          @connection.column(:"#{name}_expiring", *values, now)
        end

        def stored_ttl(bytes) = @deadlines[bytes]&.-(now)

        def write(change)
          return @connection.first(:delete, change.key) if change.kind == :delete

          @connection.first(:put, change.key, change.dump)
        end

        # An expired row is deleted first, so a new root of that key comes after all others.
        def write_expiring(change)
          return write(change) if change.kind == :delete

          deadline = Expiry.now + change.expires if Integer === change.expires
          return @connection.first(:expire_expiring, deadline, change.key) if change.kind == :expire

          @connection.first(:delete_expiring, change.key, now)
          return write(change) if change.expires == :kept

          @connection.first(:put_expiring, change.key, change.dump, deadline)
        end
      end
    end
  end
end
