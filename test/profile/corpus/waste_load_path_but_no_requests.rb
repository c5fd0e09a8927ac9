# frozen_string_literal: true

# waste: load_path_misses require

require "socket"
File.write("page", "hello")
server = TCPServer.new("127.0.0.1", 0)
client = Thread.new { Array.new(10) { TCPSocket.open("127.0.0.1", server.addr[1], &:read) } }
10.times { server.accept.tap { |socket| socket.write(File.read("page")) }.close }
puts client.value.uniq
