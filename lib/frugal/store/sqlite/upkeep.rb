# frozen_string_literal: true

module Frugal
  class Store
    # Maintenance of an SQLite store, whose roots are rows.
    class SQLiteUpkeep < Upkeep
      # @return [Array<Array(Object, Integer)>] each key with the size of its value in bytes
      def sizes
        serializer = Serializer.of(@format[:serializer], false)
        connected do |connection|
          sizes = connection.expiring? ? connection.rows(:sizes_expiring, Expiry.now) : connection.rows(:sizes)
          sizes.map { |key, bytes| [RootKey.decode(key, serializer), bytes] }
        end
      end

      # Frees the space of deleted and of expired roots.
      #
      # @return [Array(Integer, Integer)] the file's size before and after, in bytes
      def compact
        before = File.size(@path)
        connected do |connection|
          connection.first(:sweep, Expiry.now, -1) if connection.expiring?
          connection.rows(:vacuum)
        end
        [before, File.size(@path)]
      end

      private

      # Also checks every page.
      def check
        found = connected { |connection| connection.rows(:check).flatten }
        found == ["ok"] ? super : found.join("; ")
      end

      def connected
        connection = SQLite::Connection.new(@path, durability: :durable, serializer: @format[:serializer], write: false)
        yield connection
      ensure
        connection&.close
      end
    end
  end
end
