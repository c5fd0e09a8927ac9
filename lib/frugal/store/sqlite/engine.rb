# frozen_string_literal: true

require_relative "connection"
require_relative "table"

module Frugal
  class Store
    # The engine +:sqlite+.
    module SQLite
      # Keeps each root in a row of an SQLite file: the time of a transaction depends on
      # the roots that it reads and writes, not on the size of the store. The file is in
      # WAL mode: readers do not wait for a writer, and two more files exist while it is open.
      #
      # With +:fast+, transactions survive any end of the process, but a power cut may damage
      # the file. With +:atomic+, the file also survives a power cut, but the last transactions
      # may be lost; with +:durable+, none is lost. The methods are those of {FileEngine}.
      #
      # *Cost*: a few µs to read one root, or to read and write one root, at any size of the store.
      class Engine
        UNINTERRUPTED = { Object => :never }.freeze
        private_constant :UNINTERRUPTED

        # @param path [String]
        # @return [Symbol] the serializer of the store's values
        # @raise [CorruptStore]
        def self.serializer_of(path)
          Connection.new(path, durability: :atomic, serializer: nil, write: false).then do |connection|
            connection.serializer
          ensure
            connection.close
          end
        end

        attr_reader :serializer

        def initialize(path, durability:, serializer:)
          @path = path
          @durability = durability
          @serializer = serializer
          @connection = nil
        end

        # @return [Table, Hash]
        # @raise [CorruptStore, UsageError, SystemCallError]
        def enter(read_only)
          leave # needed if an interrupt prevented the last call
          return {} unless connected?(read_only)

          @begun = true
          @connection.take_turn unless read_only
          @connection.first(read_only ? :begin_read : :begin_write)
          return reopened(read_only) unless read_only || @connection.current?

          Table.new(@connection, @serializer)
        end

        def commit(table)
          unless @connection.in_transaction?
            raise UsageError, "this transaction of #{@path} is the parent process's: a fork begins its own"
          end

          table.save
          @connection.first(:commit)
        end

        def discard(_table) = nil

        def leave
          return unless @begun

          # Without the rollback, other processes would wait for the lock.
          Thread.handle_interrupt(UNINTERRUPTED) do
            @connection.first(:rollback) if @connection&.in_transaction?
          ensure
            @connection&.end_turn
          end
          @begun = false
        end

        def close
          @connection&.close
          @connection = nil
        end

        private

        # @return [Boolean] whether there is a table to read, or to write to
        def connected?(read_only)
          # A writer calls current? later, once it has the lock.
          return true if read_only ? @connection&.current? : @connection&.open?

          close
          return false if read_only && !File.exist?(@path)

          @connection = Connection.new(@path, durability: @durability, serializer: @serializer.name, write: !read_only)
          !@connection.empty? || (close && false)
        end

        # Begins again with a file that was replaced while the transaction waited for its lock.
        def reopened(read_only)
          close
          enter(read_only)
        end
      end
    end
  end
end
