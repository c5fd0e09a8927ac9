# frozen_string_literal: true

require "socket"

# A client that keeps its connection, sees every byte, and counts how often it had to connect again.
#
#   client = KeepAlive.new(9292)
#   client.get("/missing", "Accept" => "text/html").head   # => "HTTP/1.1 404 Not Found\r\n…"
#   client.connections                                     # => 1
class KeepAlive
  # +head+ and +body+ are the exact bytes, +body+ without the marks of chunks; +headers+ are pairs in
  # their order, names in small letters.
  Response = Struct.new(:status, :head, :headers, :body) do
    # @return [String, nil] the first of that name, small letters
    def [](name) = headers.assoc(name)&.last

    # Whether the server said that it ends the connection.
    def close? = self["connection"]&.downcase == "close"
  end

  # @return [Integer] how often it connected
  attr_reader :connections

  def initialize(port)
    @port = port
    @connections = 0
  end

  # @return [Response]
  def get(path, headers = {}) = request("GET", path, headers)

  # @return [Response]
  def head(path, headers = {}) = request("HEAD", path, headers)

  # @param path [String] sent as it is
  # @return [Response]
  # @raise [EOFError] where the server ends the connection without a whole response
  def request(verb, path, headers = {}, body = nil)
    headers = { "Host" => "127.0.0.1" }.merge(headers)
    headers["Content-Length"] = body.bytesize if body
    raw("#{verb} #{path} HTTP/1.1\r\n#{headers.map { |name, value| "#{name}: #{value}\r\n" }.join}\r\n#{body}", head_only: verb == "HEAD")
  end

  # Sends these bytes and reads one response.
  def raw(bytes, head_only: false)
    connect unless @socket && !ended?
    @socket.write(bytes)
    receive(head_only).tap { |response| close if response.close? }
  end

  # Everything that comes on a connection of its own which the server is asked to end, whole or not.
  #
  # @return [String] its bytes
  def self.last_words(port, path)
    TCPSocket.open("127.0.0.1", port) do |socket|
      socket.write("GET #{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
      socket.read
    end
  end

  # @return [String] what came after the last response, such as the body of a HEAD that should have none
  def rest = @socket&.read_nonblock(65_536, exception: false).then { |bytes| String === bytes ? bytes : "" }

  def close
    @socket&.close
    @socket = nil
  end

  private

  def connect
    @socket = TCPSocket.new("127.0.0.1", @port)
    @socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
    @connections += 1
  end

  # A server that has ended the connection has made it readable, without a byte.
  def ended?
    @socket.wait_readable(0) && @socket.eof? && close.nil?
  end

  def receive(head_only)
    head = @socket.gets("\r\n\r\n") or raise EOFError, "the server ended the connection"
    lines = head.split("\r\n")
    status = lines.shift[%r{\AHTTP/1\.[01] (\d+)}, 1].to_i
    headers = lines.map { |line| line.split(/: ?/, 2).then { |name, value| [name.downcase, value] } }
    response = Response.new(status, head, headers, +"")
    response.body << body(response) unless head_only || status < 200 || [204, 304].include?(status)
    response
  end

  def body(response)
    if (length = response["content-length"]) then exactly(length.to_i)
    elsif response["transfer-encoding"] == "chunked" then chunks
    else @socket.read
    end
  end

  def exactly(length)
    bytes = @socket.read(length) || ""
    bytes.bytesize == length ? bytes : raise(EOFError, "#{bytes.bytesize} bytes of #{length}")
  end

  def chunks
    body = +""
    while (size = Integer(@socket.gets("\r\n") || raise(EOFError, "in the middle of a body"), 16)).positive?
      body << exactly(size)
      exactly(2)
    end
    exactly(2)
    body
  end
end
