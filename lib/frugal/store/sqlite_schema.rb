# frozen_string_literal: true

module Frugal
  class Store
    # What says that an SQLite file is a store, and of what: two numbers in its head,
    # and one table.
    class SQLiteSchema
      APPLICATION = 0x66727567 # "frug": a file that says so is a store
      VERSIONS = { marshal: 1, json: 2, messagepack: 3 }.freeze # what user_version says of the values
      ROOTS = "CREATE TABLE roots (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, value BLOB NOT NULL)"
      private_constant :APPLICATION, :VERSIONS, :ROOTS

      # @param database [SQLite3::Database]
      # @param path [String] its file, for messages
      def initialize(database, path)
        @database = database
        @path = path
      end

      # @return [Boolean] whether it is made; false: nothing is
      # @raise [CorruptStore] for a database of somebody else's
      def made?
        tables = self.tables # first: another process may be making the store
        return true if ask("application_id") == APPLICATION
        raise CorruptStore, "#{@path} is an SQLite database, but no store of frugal's" if tables.positive?

        false
      end

      # Others may be at it, too.
      def make(serializer)
        @database.execute("PRAGMA journal_mode = WAL")
        @database.execute("PRAGMA synchronous = FULL")
        @database.transaction(:immediate) do
          next if tables.positive?

          @database.execute(ROOTS)
          @database.execute("PRAGMA user_version = #{VERSIONS.fetch(serializer)}")
          @database.execute("PRAGMA application_id = #{APPLICATION}")
        end
      end

      # @param wanted [Symbol, nil] nil: whatever there is
      # @return [Symbol] what the values are
      # @raise [CorruptStore, UsageError]
      def serializer(wanted)
        version = ask("user_version")
        known = VERSIONS.key(version)
        return known if known && (wanted.nil? || wanted == known)

        raise CorruptStore, "#{@path} is a store of a newer frugal's, or damaged: its version is #{version}" unless known

        raise UsageError, "#{@path} is a store of #{known}, not of #{wanted}: open it with serializer: :#{known}, or convert it (frugal store convert)"
      end

      private

      def tables = @database.get_first_value("SELECT count(*) FROM sqlite_master")

      def ask(pragma) = @database.get_first_value("PRAGMA #{pragma}")
    end
  end
end
