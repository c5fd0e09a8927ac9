# frozen_string_literal: true

require_relative "../error"
require_relative "sqlite_schema"

begin
  require "sqlite3"
rescue LoadError
  raise Frugal::UsageError, "engine: :sqlite needs the gem sqlite3, which is not here: add gem \"sqlite3\", \"~> 2.0\" to the Gemfile, or gem install sqlite3"
end

module Frugal
  class Store
    # A connection to an SQLite file of roots, with its statements prepared. It waits
    # for whoever has the file locked, in Ruby, so that an interrupt can end that.
    class SQLiteConnection
      SYNCHRONOUS = { fast: "OFF", atomic: "NORMAL", durable: "FULL" }.freeze
      STATEMENTS = {
        begin_read: "BEGIN", begin_write: "BEGIN IMMEDIATE", commit: "COMMIT", rollback: "ROLLBACK",
        value: "SELECT value FROM roots WHERE key = ?", keys: "SELECT key FROM roots ORDER BY id",
        keys_between: "SELECT key FROM roots WHERE key >= ? AND key < ? OR key >= ? AND key < ? ORDER BY id",
        sizes: "SELECT key, length(value) FROM roots ORDER BY id", check: "PRAGMA integrity_check", vacuum: "VACUUM",
        delete: "DELETE FROM roots WHERE key = ?",
        put: "INSERT INTO roots (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value"
      }.freeze
      FAULTS = { "Full" => Errno::ENOSPC, "IO" => Errno::EIO, "ReadOnly" => Errno::EROFS, "CantOpen" => Errno::EACCES,
                 "Permission" => Errno::EACCES }.to_h { |name, fault| [SQLite3.const_get("#{name}Exception"), fault] }.freeze
      CORRUPT = [SQLite3::CorruptException, SQLite3::NotADatabaseException, SQLite3::SQLException].freeze
      LONGEST_PAUSE = 0.01 # seconds between two looks at a lock
      private_constant :SYNCHRONOUS, :STATEMENTS, :FAULTS, :CORRUPT, :LONGEST_PAUSE

      # @param path [String]
      # @param write [Boolean] whether the file is made where there is none
      # @raise [CorruptStore, UsageError, SystemCallError]
      def initialize(path, durability:, serializer:, write:)
        @path = path
        @pid = Process.pid
        raise Errno::EISDIR, path if File.directory?(path)
        raise UsageError, "#{path} is no regular file, so it cannot be a store" if File.exist?(path) && !File.file?(path)

        @statements = {}
        @pending = nil # a statement that was not reset
        begin
          @database ||= open(write)
          set_up(durability, serializer, write)
        rescue SQLite3::Exception => error
          pause = wait_or_tell(error, pause)
          retry
        end
        @inode = File.stat(path).ino
      rescue StandardError
        @database&.close
        raise
      end

      # Whether this is the file that the path leads to, opened by this process.
      def current?
        open? && File.stat(@path).ino == @inode
      rescue Errno::ENOENT
        false
      end

      # Whether this process can use it.
      def open? = @pid == Process.pid && !@database.closed?

      # Whether there is a table of roots: a reader makes none.
      def empty? = @empty

      # @return [Array, nil] the first row
      def first(name, *values)
        statement = ready(name, values)
        row = statement.step
        done(statement)
        row
      rescue SQLite3::Exception => error
        pause = wait_or_tell(error, pause, statement)
        retry
      end

      # @return [Array<Array>]
      def rows(name, *values)
        statement = ready(name, values)
        rows = []
        while (row = statement.step)
          rows << row
        end
        done(statement)
        rows
      rescue SQLite3::Exception => error
        pause = wait_or_tell(error, pause, statement)
        retry
      end

      # @return [Array] the first column
      def column(name, *values) = rows(name, *values).map!(&:first)

      # @return [Symbol] what the values are
      attr_reader :serializer

      # Whether a transaction is under way, of this process.
      def in_transaction? = open? && @database.transaction_active?

      # Not in a child of the process that opened it.
      def close
        return unless open?

        @statements.each_value(&:close)
        @database.close
      end

      private

      def prepare(name) = @statements[name] = @database.prepare(STATEMENTS.fetch(name))

      # An interrupt may have come between the last one's step and its reset: it would
      # say that it is done, and do nothing.
      def ready(name, values)
        @pending&.reset!
        statement = @statements[name] || prepare(name)
        bind(statement, values) unless values.empty?
        @pending = statement
      end

      def done(statement)
        statement.reset!
        @pending = nil
      end

      def bind(statement, values)
        index = 0
        while index < values.size
          statement.bind_param(index + 1, values[index])
          index += 1
        end
      end

      def open(write)
        flags = SQLite3::Constants::Open
        return SQLite3::Database.new(@path, flags: flags::READWRITE | flags::CREATE) if write || File.writable?(@path)

        SQLite3::Database.new(@path, flags: flags::READONLY)
      end

      def set_up(durability, serializer, write)
        schema = SQLiteSchema.new(@database, @path)
        @serializer = serializer
        @empty = !schema.made?
        return if @empty && !write

        schema.make(serializer) if @empty
        @empty = false
        @serializer = schema.serializer(serializer)
        @database.execute("PRAGMA synchronous = #{SYNCHRONOUS.fetch(durability)}")
        @database.execute("PRAGMA cache_size = -65536") # KiB, taken as they are needed
      end

      # Waits where the file is locked; whatever else went wrong is told in Ruby's words.
      #
      # @param pause [Float, nil] seconds that were waited last
      # @return [Float] and now
      def wait_or_tell(error, pause, statement = nil)
        statement&.reset!
        case error
        when SQLite3::BusyException
          [(pause || 0.00025) * 2, LONGEST_PAUSE].min.tap { |seconds| sleep(seconds) }
        when *CORRUPT then raise CorruptStore, "#{@path} cannot be read as SQLite: #{error.message}; next: frugal store verify #{@path}"
        when *FAULTS.keys then raise FAULTS.fetch(error.class), "#{@path} (SQLite: #{error.message})"
        else raise error
        end
      end
    end
  end
end
