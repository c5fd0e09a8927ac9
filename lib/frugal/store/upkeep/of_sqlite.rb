# frozen_string_literal: true

module Frugal
  class Store
    class Upkeep
      # A store whose roots are rows.
      class OfSQLite < Upkeep
        # @return [Array<Array(Object, Integer)>] keys, and how many bytes the value of each takes
        def sizes
          serializer = Serializer.of(@format[:serializer], false)
          connected do |connection|
            connection.rows(:sizes).map { |key, bytes| [RootKey.decode(key, serializer), bytes] }
          end
        end

        # @return [String, nil] what is wrong; nil: every page and every root can be read
        def problem
          found = connected { |connection| connection.rows(:check).flatten }
          return found.join("; ") unless found == ["ok"]

          store.each {}
          nil
        rescue CorruptStore => error
          error.message
        end

        # Gives back the room of what was deleted.
        #
        # @return [Array(Integer, Integer)] bytes before and after
        def compact
          before = File.size(@path)
          connected { |connection| connection.rows(:vacuum) }
          [before, File.size(@path)]
        end

        private

        def connected
          connection = SQLiteConnection.new(@path, durability: :durable, serializer: @format[:serializer], write: false)
          yield connection
        ensure
          connection&.close
        end
      end
    end
  end
end
