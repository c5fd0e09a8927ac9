# frozen_string_literal: true

module Frugal
  class Store
    module SQLite
      # Marks an SQLite file as a store, and creates its only table. It uses two numbers in
      # the header of the file: +application_id+ marks a store of frugal, and +user_version+
      # is the number of its serializer.
      class Schema
        APPLICATION = 0x66727567 # "frug"
        VERSIONS = { marshal: 1, json: 2, messagepack: 3 }.freeze
        ROOTS = "CREATE TABLE roots (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, value BLOB NOT NULL)"
        private_constant :APPLICATION, :VERSIONS, :ROOTS

        # @param database [SQLite3::Database]
        # @param path [String] the path of its file, for messages
        def initialize(database, path)
          @database = database
          @path = path
        end

        # @return [Boolean] whether the file is a store; false if the database is empty
        # @raise [CorruptStore] if it is the database of another program
        def made?
          tables = self.tables # read before application_id: another process may be creating the store
          return true if pragma("application_id") == APPLICATION
          raise CorruptStore, "#{@path} is an SQLite database, but not a store of frugal" if tables.positive?

          false
        end

        # Creates the table, unless another process has created it.
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

        # @param expected [Symbol, nil] nil accepts any
        # @return [Symbol] the serializer of the values
        # @raise [CorruptStore, UsageError]
        def serializer(expected)
          version = pragma("user_version")
          actual = VERSIONS.key(version)
          return actual if actual && (expected.nil? || expected == actual)

          unless actual
            raise CorruptStore, "#{@path} was written by a newer frugal, or is damaged: its version is #{version}"
          end

          raise UsageError, "#{@path} is a store of #{actual}, not of #{expected}: " \
                            "open it with serializer: :#{actual}, or convert it (frugal store convert)"
        end

        private

        def tables = @database.get_first_value("SELECT count(*) FROM sqlite_master")

        def pragma(name) = @database.get_first_value("PRAGMA #{name}")
      end
    end
  end
end
