# frozen_string_literal: true

module Frugal
  class Store
    # Statistics and verification of a store on a Redis server.
    #
    #   Frugal::Store::Upkeep.of("redis://127.0.0.1:6379/0?store=app").stats
    class RedisUpkeep < Upkeep
      # @return [Array<Array(Object, Integer)>] each key with the size of its value in bytes
      def sizes
        serializer = Serializer.of(@format[:serializer], false)
        found = Redis::Engine.connected(@path) do |connection, names|
          Redis::Listing.new(connection, names).read("sizes", nil).last
        end
        found.map { |key, bytes| [RootKey.decode(key.b, serializer), bytes - Redis::Value::LETTER - 1] }
      end

      # @raise [UsageError]
      def compact = raise(UsageError, "the Redis server frees the space of deleted roots itself")

      private

      def bytes(sizes) = sizes.sum(&:last)
    end
  end
end
