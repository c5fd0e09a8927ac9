# frozen_string_literal: true

require "socket"

# A TCP proxy on loopback, in front of a server that answers each request at once. It can lose an
# answer: the server has done what the client asked for, and the client sees the connection end. And
# it can hold a request back: the client sees the connection end, and the server gets the request later.
#
#   proxy = LossyProxy.new(server.port)
#   proxy.lose = /INCR/        # the answer to the next request that matches, once
#   proxy.hold = /INCR/        # the next request that matches, until proxy.release
class LossyProxy
  # @return [Regexp, nil]
  attr_accessor :lose, :hold
  attr_reader :port, :lost

  def initialize(target)
    @target = target
    @lost = 0
    @sockets = []
    @listener = TCPServer.new("127.0.0.1", 0)
    @port = @listener.addr[1]
    @thread = Thread.new { loop { serve(@listener.accept) } }
    @thread.report_on_exception = false
  end

  def url = "redis://127.0.0.1:#{@port}/0"

  # @return [String] the server's answer to the request that was held back
  def release
    server, bytes = @held
    server.write(bytes)
    server.readpartial(1 << 20)
  end

  def stop
    @thread.kill.join
    @listener.close
    @sockets.each(&:close)
  end

  private

  def serve(client)
    server = TCPSocket.new("127.0.0.1", @target)
    @sockets.push(client, server)
    Thread.new do
      loop { forward(client, server) }
    rescue IOError, SystemCallError
      client.close
      server.close unless @held&.first == server
    end
  end

  def forward(client, server)
    ready, = IO.select([client, server])
    raise IOError, "closed" unless ready # JRuby

    bytes = ready.first.readpartial(1 << 20)
    return client.write(bytes) if ready.first == server

    hold_back(server, bytes) if @hold&.match?(bytes.b)
    server.write(bytes)
    return unless @lose&.match?(bytes.b)

    @lose = nil
    server.readpartial(1 << 20)
    @lost += 1
    raise IOError
  end

  def hold_back(server, bytes)
    @hold = nil
    @held = [server, bytes]
    raise IOError
  end
end
