# frozen_string_literal: true

module Frugal
  class Store
    module Redis
      # The names of the keys of one store on a server. Because of the braces, a server that shards
      # keys keeps them together.
      #
      #   Names.new("app").root("suser:1")   # => "frugal:{app}:root:suser:1"
      class Names
        # clock:: version of the last transaction that wrote
        # keys:: version of the last transaction that added or deleted a root
        # index:: the encoded keys, a set that is sorted by key
        # expiry:: the encoded keys of the roots that expire, sorted by deadline, in milliseconds since the epoch
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

        # @return [String] the key with the number of a process's last transaction
        def client(id) = "#{@clients}#{id}"
      end
    end
  end
end
