# frozen_string_literal: true

require "json"
require_relative "../test_helper"
require_relative "../support/sinatras"
require_relative "../support/web_server"

# Frugal.halt in Sinatra and Roda: it answers as their own halt does, at any depth of the stack, with the
# drop-in and without.
class HaltsTest < Frugal::TestCase
  include WebServer::Serving

  # The handlers of both applications, by path.
  BODIES = <<~'RUBY'
    module Bodies
      ALL = {
        "plain" => -> { Frugal.halt(404) }, "body" => -> { Frugal.halt(410, "bye", "x-gone" => "1", "set-cookie" => %w[a=1 b=2]) },
        "typed" => -> { Frugal.halt(422, "<p>", "Content-Type" => "text/html") }, "signal" => -> { Frugal.signal(KeyError, "expected") },
        "deep" => -> { Bodies.deeper(200) { Frugal.halt(404) } }, "unavailable" => -> { Frugal.halt(:service_unavailable, "later", "retry-after" => "5") },
        "blocked" => -> { Frugal.halt(418) }, "own" => -> { raise Frugal::HTTPError::Conflict }, "other" => -> { raise KeyError, "not expected" },
        "moved" => -> { raise Class.new(Frugal::HTTPError) { def status = 302 } }, "unset" => -> { raise Class.new(Frugal::HTTPError) { def initialize = nil } },
        "wordless" => -> { raise Class.new(Frugal::HTTPError) { def body = 1 } },
        "injecting" => -> { raise Class.new(Frugal::HTTPError) { def headers = { "location" => "/\r\nset-cookie: a=1" } } }
      }.freeze
      def self.cookies = Rack.release < "3" ? { "Set-Cookie" => "a=1\nb=2" } : { "set-cookie" => %w[a=1 b=2] }
      def self.deeper(depth, &block) = depth.zero? ? block.call : deeper(depth - 1, &block)
    end
  RUBY
  SINATRA = <<~RUBY
    #{BODIES}
    require "#{LIB}/frugal/sinatra"
    class SinatraApp < Sinatra::Base
      set :environment, :production
      set :dump_errors, true
      Bodies::ALL.each { |name, body| get("/\#{name}") { instance_exec(&body) } }
      get("/json") { content_type(:json) && Frugal.halt(422, "{}") }
      get("/halted") { halt 410, { "x-gone" => "1", **Bodies.cookies, "content-type" => "text/plain; charset=utf-8" }, "bye" }
      after { headers "x-after" => "1" }
      error(418) { "tea" }
      error(KeyError) { "key" }
    end
  RUBY
  RODA = <<~RUBY
    #{BODIES}
    require "roda"
    class RodaApp < Roda
      plugin :error_handler do |error|
        "handled \#{error.class}"
      end
      plugin :hooks
      plugin :head
      plugin :status_handler
      status_handler(418) { "tea" }
      plugin :frugal
      before { Frugal.halt(403, "before") if request.params["before"] }
      after { |response| response && response[1]["x-after"] = "1" }
      route do |r|
        Bodies::ALL.each { |name, body| r.is(name) { instance_exec(&body) } }
        r.is("json") { response["content-type"] = "application/json"; Frugal.halt(422, "{}") }
        r.is("halted") { r.halt([410, { "content-type" => "text/plain; charset=utf-8", "content-length" => "3", "x-gone" => "1", **Bodies.cookies }, ["bye"]]) }
        "index"
      end
    end
  RUBY
  # Sends each request to an application through Rack::Lint.
  ASK = <<~'RUBY'
    require "json"
    require "rack"
    require "rack/lint"
    require "rack/mock"
    require "stringio"
    def ask(app)
      (Bodies::ALL.keys + %w[json halted plain?before=1]).product(%w[GET HEAD]).to_h do |path, verb|
        log = StringIO.new
        answer = Rack::MockRequest.new(Rack::Lint.new(app)).request(verb, "/#{path}", "HTTP_ACCEPT" => "text/html", "rack.errors" => log)
        headers = answer.headers.to_h.transform_keys(&:downcase).slice("content-type", "x-gone", "retry-after", "set-cookie", "x-after", "x-cascade", "content-length")
        headers["set-cookie"] = [*headers["set-cookie"]].join("\n") if headers["set-cookie"]
        ["#{verb} /#{path}", [answer.status, headers, answer.body, log.string.lines.size]]
      end
    end
  RUBY
  AFTER = { "x-after" => "1" }.freeze
  TEXT = "text/plain; charset=utf-8"
  GONE = { "x-gone" => "1", "set-cookie" => "a=1\nb=2" }.freeze

  def setup
    skip "the drop-in stands aside here" unless RUBY_ENGINE == "ruby"
    skip WebGems::MISSING if Sinatras.all.empty? || !WebGems.available?("roda")
  end

  def test_sinatra
    [{}, { "FRUGAL" => "0" }].product([Sinatras.all.last, "3.2.0"]).each do |env, version|
      answers = answers(*Sinatras.options(version), "#{SINATRA}#{ASK}print ask(SinatraApp.new).to_json", env: env)
      assert_common(answers)
      assert_equal [[500, "key", 1]] * 2, answers.values_at("GET /signal", "GET /other").map { |status, _, body, lines| [status, body, lines.clamp(0, 1)] }
      assert_equal answers["GET /halted"].values_at(0, 2), answers["GET /body"].values_at(0, 2)
      assert_equal "application/json", answers["GET /json"][1]["content-type"]
      refute_operator answers["GET /plain"][1], :key?, "x-cascade" # Sinatra's own halt has none, either
    end
  end

  def test_roda
    [{}, { "rack" => "2.2.17" }].each do |versions|
      assert_roda(answers(*WebGems.options(versions), "-I#{LIB}", "#{RODA}#{ASK}print ask(RodaApp.freeze.app).to_json"))
    end
  end

  def test_a_real_server_keeps_the_connection
    server = serve(<<~RUBY, threads: 2)
      #{SINATRA}
      #{RODA}
      map("/sinatra") { run SinatraApp.new }
      map("/roda") { run RodaApp.freeze.app }
    RUBY
    server.client do |client|
      %w[/sinatra /roda].each do |below|
        bodies = %w[plain body deep blocked own].map { |name| client.get("#{below}/#{name}") }
        assert_equal [404, 410, 404, 418, 409], bodies.map(&:status)
        assert_equal %w[bye tea], bodies.values_at(1, 3).map(&:body)
        assert_equal 404, client.head("#{below}/plain").status
      end
      assert_equal 1, client.connections
    end
    assert_empty server.log.lines.grep(/halts|HTTPError|Error -/)
  end

  private

  def assert_roda(answers)
    assert_common(answers)
    assert_equal ["handled KeyError"] * 2, answers.values_at("GET /signal", "GET /other").map { |answer| answer[2] }
    assert_equal answers["GET /halted"], answers["GET /body"]
    assert_equal [403, "before"], answers["GET /plain?before=1"].values_at(0, 2)
    assert_equal "application/json", answers["GET /json"][1]["content-type"]
  end

  def assert_common(answers)
    assert_equal [500, 500], answers.values_at("GET /moved", "GET /unset").map(&:first) # a status that an error cannot have
    assert_equal [500, 500], answers.values_at("GET /wordless", "GET /injecting").map(&:first) # a body or a header that cannot be sent
    assert_equal [410, { "content-type" => TEXT, "content-length" => "3", **GONE, **AFTER }, "bye", 0], answers["GET /body"]
    assert_equal [410, { "content-type" => TEXT, "content-length" => "3", **GONE, **AFTER }, "", 0], answers["HEAD /body"]
    assert_equal [404, "text/html; charset=utf-8", 0], [answers["GET /plain"][0], answers["GET /plain"][1]["content-type"], answers["GET /plain"][3]]
    assert_includes answers["GET /plain"][2], "<h1>404 Not Found</h1>"
    assert_equal answers["GET /plain"], answers["GET /deep"]
    assert_equal answers["GET /plain"][1], answers["HEAD /plain"][1]
    assert_equal [422, "text/html", "<p>"], [answers["GET /typed"][0], answers["GET /typed"][1]["content-type"], answers["GET /typed"][2]]
    assert_equal [503, "5", "later", 0], [answers["GET /unavailable"][0], answers["GET /unavailable"][1]["retry-after"], *answers["GET /unavailable"][2..]]
    assert_equal [418, "tea"], answers["GET /blocked"].values_at(0, 2)
    assert_equal 409, answers["GET /own"][0]
  end

  def answers(*options, script, env: {})
    result = run_command(RUBY, "-W0", *options, "-e", script, env: { **WebGems::ENVIRONMENT, "APP_ENV" => nil, **env })
    assert result.success?, result
    JSON.parse(result.out)
  end
end
