# frozen_string_literal: true

require "socket"

module Frugal
  module Bench
    # Ports for servers that are ended and started again. Linux gives the ports from 32,768 on to connections, so such
    # a port may be taken until the server starts again, or as long as that connection is in TIME_WAIT.
    module FreePort
      PORTS = 10_000..32_767
      private_constant :PORTS

      # @return [Integer] a port on which nobody listens on loopback; independent of srand, since parallel tests may
      #   have the same seed
      def self.take
        Random.new.rand(PORTS).tap { |port| TCPServer.open("127.0.0.1", port).close }
      rescue Errno::EADDRINUSE
        retry
      end
    end
  end
end
