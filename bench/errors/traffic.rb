# frozen_string_literal: true

require_relative "wrk"

module Frugal
  module ErrorsBench
    # What wrk and Puma counted of one way, in all rounds.
    class Traffic
      # Requests that Puma allows a connection, its max_keep_alive.
      PER_CONNECTION = 999

      # @return [Integer]
      attr_reader :runs, :requests, :errors
      # @return [Integer, nil] nil where the server does not tell
      attr_reader :connections

      def initialize
        @runs = @requests = @connections = @errors = 0
      end

      # @param load [Load]
      # @param accepted [Integer, nil] connections
      # @return [void]
      def add(load, accepted)
        @runs += 1
        @requests += load.requests
        @connections &&= accepted && (@connections + accepted)
        @errors += load.errors
      end

      # @return [Integer] connections that were not kept: wrk opens one more to look
      #   who is there, and Puma ends each after so many requests
      def broken = [connections - (runs * (Wrk::CONNECTIONS + 1)) - (requests / PER_CONNECTION), 0].max

      # @return [Hash]
      def to_h = { requests: requests, connections: connections, socket_errors: errors }
    end
  end
end
