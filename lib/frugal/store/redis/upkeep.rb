# frozen_string_literal: true

require_relative "engine"
require_relative "../upkeep"

module Frugal
  class Store
    module Redis
      # Statistics and verification of a store on a Redis server.
      #
      #   Frugal::Store::Upkeep.of("redis://127.0.0.1:6379/0?store=app").stats
      class Upkeep < Store::Upkeep
        # @param url [String]
        # @return [Symbol] the serializer of its first root; +:json+ if it has none
        # @raise [UsageError] for a store with a secret
        def self.serializer_of(url)
          connected(url) do |connection, names|
            first, = connection.call("ZRANGE", names.index, 0, 0)
            letter = first ? connection.call("GETRANGE", names.root(first), Value::LETTER, Value::LETTER) : ""
            if letter.match?(/[A-Z]/)
              raise UsageError, "a store with a secret: only a program that has the secret can read it"
            end

            Value::LETTERS.key(letter) || :json
          end
        end

        # @yieldparam connection [Connection]
        # @yieldparam names [Names]
        def self.connected(url)
          name, client, own = Address.of(url, nil)
          connection = Connection.new(name, client, own)
          yield connection, Names.new(name)
        ensure
          connection&.close
        end

        # @return [Array<Array(Object, Integer)>] each key with the size of its value in bytes
        def sizes
          serializer = Serializer.of(@format[:serializer], false)
          found = Upkeep.connected(@path) do |connection, names|
            Listing.new(connection, names).read("sizes", nil).last
          end
          found.map { |key, bytes| [RootKey.decode(key.b, serializer), bytes - Value::LETTER - 1] }
        end

        # @return [String, nil] what is wrong; nil if every root can be read
        def problem
          store.each {}
          nil
        rescue CorruptStore => e
          e.message
        end

        # @raise [UsageError]
        def compact = raise(UsageError, "the Redis server frees the space of deleted roots itself")

        private

        def bytes(sizes) = sizes.sum(&:last)
      end
    end
  end
end
