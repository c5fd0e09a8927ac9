# frozen_string_literal: true

require_relative "../support/wrk"

module Frugal
  module ErrorsBench
    # The totals of one way in all rounds, as counted by wrk and Puma.
    class Traffic
      # Requests that Puma answers on one connection (max_keep_alive).
      PER_CONNECTION = 999

      # @return [Integer]
      attr_reader :runs, :requests, :errors
      # @return [Integer, nil] nil if the server does not count them
      attr_reader :connections

      def initialize
        @runs = @requests = @connections = @errors = 0
      end

      # @param load [Bench::Load]
      # @param accepted [Integer, nil] connections
      # @return [void]
      def add(load, accepted)
        @runs += 1
        @requests += load.requests
        @connections &&= accepted && (@connections + accepted)
        @errors += load.errors
      end

      # @return [Integer] connections that were not kept alive. wrk opens one more to check the
      #   server, and Puma closes each after {PER_CONNECTION} requests: these do not count.
      def broken = [connections - (runs * (Bench::Wrk::CONNECTIONS + 1)) - (requests / PER_CONNECTION), 0].max

      # @return [Hash]
      def to_h = { requests: requests, connections: connections, socket_errors: errors }
    end
  end
end
