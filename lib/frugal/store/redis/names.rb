# frozen_string_literal: true

module Frugal
  class Store
    module Redis
      # The names of the keys of one store on a server. A server that shards keys keeps all of them
      # together, because of the braces.
      #
      #   Names.new("app").root("suser:1")   # => "frugal:{app}:root:suser:1"
      class Names
        # clock:: version of the last transaction that wrote
        # keys:: version of the last one that added or deleted a root
        # index:: the encoded keys, a sorted set in their own order
        # expiry:: those of the roots that expire, sorted by the milliseconds since the epoch at which they do
        attr_reader :clock, :keys, :index, :expiry, :roots

        # @param name [String] of the store
        # @raise [UsageError]
        def initialize(name)
          if name.empty? || name.match?(/[{}]/n)
            raise UsageError, "the name of a store must have no braces and not be empty (got #{name.inspect})"
          end

          prefix = "frugal:{#{name}}:".b
          @clock, @keys, @index, @expiry = %w[clock keys index expiry].map { |part| "#{prefix}#{part}".freeze }
          @roots = "#{prefix}root:".freeze
          @clients = "#{prefix}client:".freeze
        end

        # @param bytes [String] see {RootKey}
        def root(bytes) = "#{@roots}#{bytes}"

        # @return [String] where a process notes the number of its last transaction
        def client(id) = "#{@clients}#{id}"
      end
    end
  end
end
