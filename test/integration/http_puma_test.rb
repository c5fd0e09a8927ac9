# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/web_server"

# The Responder behind a real Puma: the exact bytes, on kept connections. What it does not answer is the same as
# without it.
class HTTPPumaTest < Frugal::TestCase
  include WebServer::Serving

  # Paths whose errors cannot be answered any more, or are not expected: the same below /stock, without the
  # Responder, and below /ours.
  UNTOUCHED = %w[raise script_error throw broken_body broken_first streaming hijack].freeze

  CONFIG = <<~'RUBY'
    require "rack"
    require "frugal/rack"

    class Broken
      def initialize(*parts) = @parts = parts
      def each(&block)
        @parts.each(&block)
        Frugal.halt(404)
      end
    end

    APP = lambda do |env|
      case env["PATH_INFO"]
      when "/page" then [200, { "content-type" => "text/plain" }, ["page"]]
      when "/returned" then [404, { "content-type" => "text/plain; charset=utf-8", "vary" => "Accept", "content-length" => "14" }, ["404 Not Found\n"]]
      when "/halt" then Frugal.halt(404)
      when "/signal" then Frugal.signal(KeyError, "secret")
      when "/key" then {}.fetch(:secret)
      when "/body" then Frugal.halt(429, "Later", "Retry-After" => "5", "set-cookie" => %w[a=1 b=2])
      when "/raise" then raise "secret"
      when "/script_error" then raise NotImplementedError, "secret"
      when "/throw" then throw :halt, 404
      when "/broken_body" then [200, {}, Broken.new("one", "two")]
      when "/broken_first" then [200, {}, Broken.new]
      when "/streaming" then [200, {}, ->(stream) { stream.write("one"); Frugal.halt(404) }]
      when "/hijack"
        io = env["rack.hijack"].call
        io.write("HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\nmine")
        io.close
        Frugal.halt(404)
      else raise KeyError, "no #{env["PATH_INFO"]}"
      end
    end

    map("/stock") { run APP }
    map("/ours") do
      use Frugal::Rack::Responder, rescue_responses: { "KeyError" => 404 }
      run APP
    end
  RUBY

  def test_the_exact_bytes
    server = serve(CONFIG)
    same_bytes_as_a_returned_response(server)
    by_accept(server)
    kept_connections(server)
    untouched_errors(server)
    refute_includes server.log, "no /"
  end

  def test_lint_finds_no_mistake_on_either_side
    skip WebGems::MISSING unless WebGems.available?("rack")

    WebGems.versions("rack").each do |version|
      library = File.join(WebGems.folder("rack", version), "lib")
      result = run_command(RUBY, "-I", LIB, "-I", library, File.join(ROOT, "test/support/rack_lint.rb"))
      major = version[/\A\d+/]
      cookies = major == "2" ? ["a=1\nb=2"] : [%w[a=1 b=2]]
      assert_equal ["200: 3 404: 6 499: 2 403: 2 401: 2 422: 2", major, "175", "page 200", "head 200", "halt 404", "unnamed 499", "body 403",
                    "cookies 401", "own_type 422", "signal 404",
                    "raised 404", "[1, 1, 3, 3, 1, 3, 1, 3, 3]", cookies.inspect], result.out.lines(chomp: true), result
    end
  end

  private

  def same_bytes_as_a_returned_response(server)
    server.client do |client|
      returned = client.get("/stock/returned")
      %w[halt signal key anything].each { |path| assert_equal returned, client.get("/ours/#{path}"), path }
      assert_equal client.head("/stock/returned").head, client.head("/ours/halt").head
      assert_equal "", client.rest
      assert_equal 1, client.connections
    end
  end

  def by_accept(server)
    server.client do |client|
      { "text/html,*/*;q=0.8" => "text/html; charset=utf-8", "application/json" => "application/problem+json", "*/*" => "text/plain; charset=utf-8" }
        .each do |accept, type|
          response = client.get("/ours/halt", "Accept" => accept)
          assert_equal [404, type, "Accept"], [response.status, response["content-type"], response["vary"]]
          refute_includes response.body, "secret"
        end
      later = client.get("/ours/body", "Accept" => "text/html")
      cookies = later.headers.filter_map { |name, value| value if name == "set-cookie" }
      assert_equal [429, "Later", "5", %w[a=1 b=2]], [later.status, later.body, later["retry-after"], cookies]
    end
  end

  def kept_connections(server)
    server.client do |client|
      60.times do |i|
        assert_equal 404, client.get("/ours/#{%w[halt signal key][i % 3]}").status
        assert_equal 404, client.request("POST", "/ours/halt", {}, "unread" * 1_000).status
        assert_equal ["", ""], client.head("/ours/halt").then { |response| [response.body, client.rest] }
        assert_equal "page", client.get("/ours/page").body
      end
      ["/ours/%2e%2e%2f", "/ours/\xFF", "/ours/#{"a" * 5_000}", "/ours/%00", "/ours//"].each { |path| assert_equal 404, client.get(path).status }
      assert_equal 1, client.connections
    end
  end

  def untouched_errors(server)
    logged = server.log.size
    UNTOUCHED.each do |path|
      stock, ours = %w[stock ours].map { |side| KeepAlive.response_bytes(server.port, "/#{side}/#{path}") }
      assert_equal stock.b, ours.b, path
    end
    server.stop
    errors = server.log[logged..].scan(/#<(?:\w+::)*\w*Error[^>]*>/).tally
    assert_operator errors.size, :>=, 3, server.log
    assert_empty errors.reject { |_, times| times.even? }, server.log
  end
end
