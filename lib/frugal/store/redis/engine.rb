# frozen_string_literal: true

require "securerandom"
require_relative "connection"
require_relative "table"

module Frugal
  class Store
    # The engine +:redis+, for the gem redis-client and Redis 6 or later, or Valkey.
    module Redis
      autoload :Cluster, "#{__dir__}/cluster"

      # Keeps each root in a key of a Redis server. Several stores may share a server: each has a name.
      #
      #   Frugal::Store.new("app", engine: :redis)                                     # REDIS_URL, or 127.0.0.1:6379
      #   Frugal::Store.new("app", engine: :redis, redis: "redis://10.0.0.1:6379/2")
      #   Frugal::Store.new("redis://10.0.0.1:6379/2?store=app", engine: :redis, redis: { timeout: 5 })
      #   Frugal::Store.new("app", engine: :redis, redis: { sentinels: [{ host: "10.0.0.1" }], name: "mymaster" })
      #   Frugal::Store.new("app", engine: :redis, redis: { cluster: ["redis://10.0.0.1:6379"], wait: 1 })
      #
      # Transactions are optimistic: nothing is locked. One script checks that all roots that the transaction has read
      # are unchanged, and writes. If a root has changed, the block runs again, up to +attempts+ times, so it should
      # have no other effects. All transactions are serializable, including read-only ones. If an answer is lost, the
      # transaction is sent again with its number, which the server keeps, so it is never applied twice.
      #
      # The methods are those of {FileEngine}.
      #
      # *Cost*: a round trip for a root that is read, for {Store#values_at}, for each 5,000 roots of
      # {Store#keys} and {Store#each}, and for a commit that changes something. One more round trip for
      # a read if others have written since the last read.
      class Engine
        ATTEMPTS = 100
        LONGEST_PAUSE = 0.02 # seconds
        private_constant :ATTEMPTS, :LONGEST_PAUSE

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

        attr_reader :serializer
        # @return [String] the store's name
        attr_reader :name

        def initialize(path, durability:, serializer:, redis: nil, secret: nil, attempts: ATTEMPTS)
          unless durability == :fast
            raise UsageError, "durability: is decided by the Redis server (appendonly, appendfsync): " \
                              "leave it out with engine: :redis (got #{durability.inspect})"
          end
          unless Integer === attempts && attempts.positive?
            raise UsageError, "attempts: must be an Integer greater than 0 (got #{attempts.inspect})"
          end

          @serializer = serializer
          @attempts = attempts
          connect(path, redis, secret)
          @failures = 0
        end

        # @return [Table]
        def enter(_read_only)
          begin_process unless @pid == Process.pid
          @entered = @pid
          Table.new(@connection, @names, @value, @serializer)
        end

        # @raise [StoreUnavailable, StoreConflict, CorruptStore, UsageError]
        def commit(table)
          unless @entered == Process.pid
            raise UsageError, "this transaction of #{@name} is the parent process's: a fork begins its own"
          end
          return conflict if table.stale?

          roots, arguments = table.commands
          save(roots, arguments) if roots
        end

        def discard(table) = table.stale? ? conflict : nil

        def leave
          @failures = 0
        end

        def close = @connection.close

        private

        def connect(path, redis, secret)
          name, client, own, replicas = Address.of(path, redis)
          @name = name.dup.freeze
          @names = Names.new(@name)
          @value = Value.new(@name, @serializer, secret)
          @connection = Connection.new(@name, client, own, replicas)
        end

        # Begins new numbers of transactions, which are counted per process.
        def begin_process
          @pid = Process.pid
          @client = @names.client(SecureRandom.hex(8))
          @number = 0
        end

        def save(roots, arguments)
          @number += 1
          keys = [@names.clock, @names.keys, @names.index, @names.expiry, @client, *roots]
          case answer = @connection.run(Script::COMMIT, keys, [@number, *arguments], writes: true)
          when "saved" then nil
          when "conflict" then conflict
          when "foreign" then raise CorruptStore, "the keys of the store #{@name} were written by another program"
          else raise Error, "the store #{@name} did not save a transaction: its number is #{answer}"
          end
        end

        # Waits for a random time, longer after each failure.
        def conflict
          @failures += 1
          if @failures >= @attempts
            raise StoreConflict, "the transaction of #{@name} ran #{@failures} times, and each time another process " \
                                 "had changed what it read: nothing was saved; make it shorter, or try later"
          end

          sleep(rand * [0.0005 * (2**[@failures, 10].min), LONGEST_PAUSE].min)
          Transaction::CONFLICT
        end
      end
    end
  end
end
