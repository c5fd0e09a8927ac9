# frozen_string_literal: true

require_relative "sqlite_connection"
require_relative "sqlite_table"

module Frugal
  class Store
    # Keeps each root in a row of an SQLite file, so that a transaction costs what it
    # touches, not what the store holds. In WAL mode: readers do not wait for a
    # writer, and there are two files more beside it while it is open.
    #
    # +:fast+ survives the end of the process, whatever ends it; a power cut may
    # damage the file. +:atomic+ survives that, too, without the last transactions,
    # +:durable+ with them.
    #
    # *Cost*: µs, whatever the size: one root read, or one read and written.
    class SQLiteEngine
      UNINTERRUPTED = { Object => :never }.freeze
      private_constant :UNINTERRUPTED

      # @param path [String]
      # @return [Symbol] what the values of the store are
      # @raise [CorruptStore]
      def self.serializer_of(path)
        SQLiteConnection.new(path, durability: :atomic, serializer: nil, write: false).then do |connection|
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

      # @return [SQLiteTable, Hash]
      # @raise [CorruptStore, UsageError, SystemCallError]
      def enter(read_only)
        leave # where an interrupt came before it
        return {} unless connected?(read_only)

        @begun = true
        @connection.first(read_only ? :begin_read : :begin_write)
        return reopened(read_only) unless read_only || @connection.current?

        SQLiteTable.new(@connection, @serializer)
      end

      def commit(table)
        raise UsageError, "this transaction of #{@path} is the parent process's: a fork begins its own" unless @connection.in_transaction?

        table.save
        @connection.first(:commit)
      end

      def leave
        return unless @begun

        Thread.handle_interrupt(UNINTERRUPTED) { @connection.first(:rollback) if @connection&.in_transaction? } # or others would wait for it
        @begun = false
      end

      def close
        @connection&.close
        @connection = nil
      end

      private

      # @return [Boolean] whether there is something to read, or to write to
      def connected?(read_only)
        # Who writes looks again once the file is locked.
        return true if read_only ? @connection&.current? : @connection&.open?

        close
        return false if read_only && !File.exist?(@path)

        @connection = SQLiteConnection.new(@path, durability: @durability, serializer: @serializer.name, write: !read_only)
        !@connection.empty? || (close && false)
      end

      # Another file came in its place while this waited for the lock.
      def reopened(read_only)
        close
        enter(read_only)
      end
    end
  end
end
