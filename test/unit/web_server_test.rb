# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/web_server"

# The server and the client that tests use show the exact bytes on the connection.
class WebServerTest < Frugal::TestCase
  include WebServer::Serving

  def test_the_bytes_of_a_connection_that_is_kept_alive
    server = serve(<<~'RUBY')
      run lambda { |env|
        case env["PATH_INFO"]
        when "/chunks" then [200, { "content-type" => "text/plain" }, %w[a bc].each]
        when "/close" then [200, { "connection" => "close" }, ["bye"]]
        when "/log" then env["rack.errors"].puts("told"); [204, {}, []]
        else [404, { "content-type" => "text/plain", "x-a" => "1" }, ["no #{env["PATH_INFO"]}", " #{env["rack.input"]&.read}"]]
        end
      }
    RUBY
    server.client do |client|
      response = client.get("/%2e%2e/\xFF")
      assert_equal "HTTP/1.1 404 Not Found\r\ncontent-type: text/plain\r\nx-a: 1\r\ncontent-length: 13\r\n\r\n".b, response.head.b
      assert_equal [404, "no /%2e%2e/\xFF ".b, "1"], [response.status, response.body.b, response["x-a"]]
      assert_equal [404, "", "6"], client.head("/a").then { |head| [head.status, head.body, head["content-length"]] }
      assert_equal "", client.rest
      assert_equal "abc", client.get("/chunks").body
      assert_equal "no /post text", client.request("POST", "/post", { "Content-Type" => "text/plain" }, "text").body
      assert_equal [204, nil], client.get("/log").then { |log| [log.status, log["content-length"]] }
      assert_equal 1, client.connections
      assert_predicate client.get("/close"), :close?
      assert_equal 404, client.get("/").status
      assert_equal 2, client.connections
    end
    assert_includes server.log, "told"
    pid = server.pid
    server.stop
    assert_raises(Errno::ESRCH) { Process.kill(0, pid) }
  end

  def test_a_server_that_cannot_start_says_why
    error = assert_raises(RuntimeError) { serve("raise 'on purpose'") }
    assert_includes error.message, "on purpose"
  end
end
