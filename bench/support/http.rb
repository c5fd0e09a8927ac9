# frozen_string_literal: true

require "socket"

module Frugal
  module Bench
    # Requests to local servers.
    module HTTP
      # @param port [Integer]
      # @param cookie [String, nil]
      # @return [String] head and body of the response
      def self.get(port, path, cookie = nil)
        TCPSocket.open("127.0.0.1", port) do |socket|
          socket.write("GET #{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" \
                       "#{"Cookie: #{cookie}\r\n" if cookie}\r\n")
          socket.read
        end
      end
    end
  end
end
