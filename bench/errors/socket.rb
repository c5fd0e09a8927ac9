# frozen_string_literal: true

require "socket"

module Frugal
  module ErrorsBench
    # Sends requests to a local server on `@port`.
    module Socket
      # @return [String] head and body of the response
      def get(path)
        TCPSocket.open("127.0.0.1", @port) do |socket|
          socket.write("GET #{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
          socket.read
        end
      end
    end
  end
end
