# frozen_string_literal: true

require "socket"

# An HTTP client that keeps its connection, gives access to every byte, and counts how often it has connected.
#
#   client = KeepAlive.new(9292)
#   client.get("/missing", "Accept" => "text/html").head   # => "HTTP/1.1 404 Not Found\r\n…"
#   client.connections                                     # => 1
class KeepAlive
  # +head+ and +body+ are the exact bytes, +body+ without the lengths of chunks; +headers+ are pairs in
  # their order, with names in lower case.
  Response = Struct.new(:status, :head, :headers, :body) do
    # @param name [String] in lower case
    # @return [String, nil] the first header of that name
    def [](name) = headers.assoc(name)&.last

    # Reports whether the server has announced that it closes the connection.
    def close? = self["connection"]&.downcase == "close"
  end

  # @return [Integer] how often it has connected
  attr_reader :connections

  def initialize(port)
    @port = port
    @connections = 0
  end

  # @return [Response]
  def get(path, headers = {}) = request("GET", path, headers)

  # @return [Response]
  def head(path, headers = {}) = request("HEAD", path, headers)

  # @param path [String] sent unchanged
  # @return [Response]
  # @raise [EOFError] if the server closes the connection before the end of the response
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

  # Sends one request with "Connection: close" on a new connection. The response may be incomplete.
  #
  # @return [String] all bytes of the response
  def self.response_bytes(port, path)
    TCPSocket.open("127.0.0.1", port) do |socket|
      socket.write("GET #{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
      socket.read
    end
  end

  # @return [String] bytes after the last response, such as a body that follows a HEAD by mistake
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

  # After the server has closed the connection, it is readable and at its end.
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
