# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/web_server"
require "time"
require "timeout"

# Frugal::Files and Rack::Files behind a real Puma, checked by Rack::Lint, over one kept connection.
class FilesPumaTest < Frugal::TestCase
  include WebServer::Serving

  BIG = 700_000
  CONFIG = <<~'RUBY'
    require "frugal/files"
    require "rack/files"
    require "rack/lint"
    require "rack/body_proxy"
    ROOT = "root"
    # Wraps the body, as many middlewares do: Puma gets an object with to_path, but not the body itself.
    Wrapped = Struct.new(:app) do
      def call(env) = app.call(env).then { |status, headers, body| [status, headers, Rack::BodyProxy.new(body) {}] }
    end
    # Runs a command between the application's response and its sending.
    Swapped = Struct.new(:app) do
      def call(env) = app.call(env).tap { |status, _, body| system("#{env["HTTP_X_MEANWHILE"]}") if env["HTTP_X_MEANWHILE"] }
    end
    lint = ->(app) { Rack::Lint.new(app) }
    files = Frugal::Files.new(ROOT)
    map("/stock") { run lint[Rack::Files.new(ROOT)] }
    map("/ours") { run lint[files] }
    map("/bare") { run Swapped[files] }
    map("/wrapped") { run Wrapped[Swapped[files]] }
    map("/wrapped_stock") { run Wrapped[Swapped[Rack::Files.new(ROOT)]] }
    map("/front") { run ->(env) { Frugal::Files.new(ROOT, x_sendfile: true).call(env).then { |status, headers, body| [status, headers.merge("x-sendfile" => body.to_path), body] } } }
    map("/descriptors") { run ->(env) { GC.start; [200, {}, [Dir.children("/proc/self/fd").size.to_s]] } }
  RUBY

  def setup
    old = Time.at(1_700_000_000)
    { "page.html" => "<p>page", "empty" => "", "big" => "b" * BIG, "big2" => "c" * BIG,
      "sub/ü.css" => "a{}", "zip.js" => "plain", "zip.js.gz" => "zipped" }.each do |name, content|
      write("root/#{name}", content, mtime: old)
    end
    write("outside/big", "o" * BIG)
    super
  end

  def test_the_same_bytes_as_stock_over_one_connection
    server = serve(CONFIG)
    server.client do |client|
      paths = %w[/page.html /empty /big /sub/%C3%BC.css /sub /missing /%2e%2e%2foutside/big /..%2foutside%2fbig /%00 /%ff /page.html/ /]
      requests = paths.product(
        [["GET", {}], ["HEAD", {}], ["OPTIONS", {}], ["POST", {}], ["GET", { "Range" => "bytes=1-3" }], ["GET", { "Range" => "bytes=0-0,2-3" }],
         ["HEAD", { "Range" => "bytes=0-0,2-3" }], ["GET", { "Range" => "bytes=9999999-" }],
         ["GET", { "If-Modified-Since" => Time.at(1_700_000_000).httpdate }]]
      )
      requests.each do |path, (verb, headers)|
        stock, ours = %w[/stock /ours].map { |app| client.request(verb, app + path, headers) }
        assert_equal [stock.status, stock.headers.sort, stock.body],
                     [ours.status, ours.headers.reject { |name, _| name == "etag" }.sort, ours.body], "#{verb} #{path} #{headers}"
      end
      tag = client.get("/ours/page.html")["etag"]
      assert_equal [304, ""], client.get("/ours/page.html", "If-None-Match" => tag).then { |response| [response.status, response.body] }
      assert_equal %w[zipped gzip], client.get("/ours/zip.js", "Accept-Encoding" => "gzip").then { |response| [response.body, response["content-encoding"]] }
      assert_equal ["", ""], [client.head("/ours/big").body, client.rest]
      assert_equal 1, client.connections
      refute_includes server.log, "Lint"
    end
  end

  # The path is replaced by a link that leads outside.
  def test_the_open_file_is_what_is_sent
    swap = "mv root/big kept && ln -s ../outside/big root/big"
    back = "rm root/big && mv kept root/big"
    server = serve(CONFIG)
    server.client do |client|
      %w[/bare/big /wrapped/big /ours/big].each do |path|
        assert_equal "b" * BIG, client.get(path, "X-Meanwhile" => swap).body, path
        system(back, chdir: tree) unless path == "/ours/big"
      end
      assert_equal "o" * BIG, client.get("/wrapped_stock/big", "X-Meanwhile" => swap).body, "the control: stock opens the path again"
      system(back, chdir: tree)
      assert_equal [path("root/page.html"), "<p>page"], client.get("/front/page.html").then { |response| [response["x-sendfile"], response.body] }
      before = client.get("/descriptors").body
      20.times { client.get("/bare/big") && client.get("/wrapped/big") && client.get("/ours/missing") }
      assert_equal before, client.get("/descriptors").body
      assert_equal 1, client.connections
    end
  end

  # A body that is too short ends its connection, so that the next response is not taken for the rest.
  def test_a_file_that_is_truncated_while_it_is_sent
    server = serve(CONFIG)
    { "/bare/big" => "truncate -s 70000 root/big", "/wrapped/big2" => "truncate -s 70000 root/big2" }.each do |path, cut|
      server.client do |client|
        response = begin
          client.get(path, "X-Meanwhile" => cut)
        rescue EOFError, Errno::ECONNRESET
          client.close
        end
        assert_equal 70_000, response.body.size if response
        assert_equal [200, "<p>page"], page_after_the_end(client).then { |page| [page.status, page.body] }
        assert_equal 2, client.connections
      end
    end
    File.truncate(write("root/huge"), 60_000_000)
    assert_raises(Timeout::Error, "the control: stock leaves the client waiting") { rest_of_a_truncated_file(server, "/wrapped_stock/huge", patience: 1) }
    File.truncate(path("root/huge"), 60_000_000)
    %w[/bare/huge /wrapped/huge].each do |path|
      assert_operator rest_of_a_truncated_file(server, path, patience: 20), :<, 60_000_000
      File.truncate(path("root/huge"), 60_000_000)
    end
  end

  private

  # The server may close the connection just before the next request.
  def page_after_the_end(client)
    client.get("/ours/page.html")
  rescue EOFError, Errno::ECONNRESET, Errno::EPIPE
    client.close
    client.get("/ours/page.html")
  end

  # The client continues to read after the file has been truncated. Until then the server waits for it.
  def rest_of_a_truncated_file(server, path, patience:)
    socket = TCPSocket.new("127.0.0.1", server.port)
    socket.write("GET #{path} HTTP/1.1\r\nHost: a\r\n\r\n")
    assert_includes socket.gets("\r\n\r\n"), "60000000"
    File.truncate(path("root/huge"), 1_000_000)
    Timeout.timeout(patience) { socket.read.size }
  ensure
    socket.close
  end
end
