# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/web_gems"

# Frugal.halt in a real Rails application. With the Responder its response is sent; without the Responder, Rails
# responds with its status. The log has that status in both cases.
class RailsHaltTest < Frugal::TestCase
  APP = <<~'RUBY'
    require "logger"
    require "stringio"
    require "rails"
    require "action_controller/railtie"
    require "frugal/rails"
    require "frugal/rack"
    LOG = StringIO.new

    class App < Rails::Application
      config.eager_load = true
      config.secret_key_base = "x" * 64
      config.consider_all_requests_local = false
      config.logger = Logger.new(LOG)
      config.hosts.clear
      config.action_dispatch.rescue_responses["Frugal::HTTPError::Gone"] = :not_found
      config.middleware.use Frugal::Rack::Responder if ARGV.include?("responder")
      routes.append { get "/:action", controller: "errors" }
    end

    class ErrorsController < ActionController::Base
      around_action do |_, action|
        action.call
      ensure
        logger.info("ensured")
      end
      rescue_from(Frugal::HTTPError::Forbidden) { head :conflict }

      def missing = Frugal.halt(404)
      def later = Frugal.halt(429, "Later", "retry-after" => "5")
      def gone = Frugal.halt(410)
      def rescued = Frugal.halt(403)
    end
    App.initialize!

    require "rack/mock"
    %w[missing later gone rescued].each do |path|
      LOG.truncate(0)
      LOG.rewind
      response = Rack::MockRequest.new(App).get("/#{path}", "HTTP_ACCEPT" => "application/json")
      puts [path, response.status, response.headers["retry-after"], response.body[0, 60],
            LOG.string[/Completed (\d+)/, 1], LOG.string.scan("ensured").size].inspect
    end
  RUBY

  def test_with_the_responder_its_response_is_sent
    assert_equal [["missing", 404, nil, '{"type":"about:blank","title":"Not Found","status":404}', "404", 1],
                  ["later", 429, "5", "Later", "429", 1],
                  ["gone", 410, nil, '{"type":"about:blank","title":"Gone","status":410}', "404", 1],
                  ["rescued", 409, nil, "", "409", 1]], answers("responder")
  end

  def test_without_the_responder_rails_responds_with_its_status
    expected = [["missing", 404, nil, '{"status":404,"error":"Not Found"}', "404", 1],
                ["later", 429, nil, '{"status":429,"error":"Too Many Requests"}', "429", 1],
                ["gone", 404, nil, '{"status":404,"error":"Not Found"}', "404", 1],
                ["rescued", 409, nil, "", "409", 1]]
    [{}, { "FRUGAL" => "0" }].each { |env| assert_equal expected, answers(env: env) }
  end

  private

  def answers(*arguments, env: {})
    skip WebGems::MISSING unless WebGems.available?("railties", "actionpack", "rack")

    result = run_command(RUBY, "-W0", "-I", LIB, *WebGems.options, write("app.rb", APP), *arguments,
                         env: WebGems::ENVIRONMENT.merge(env), chdir: tree)
    rows = result.out.lines.grep(/\A\["/).map { |line| eval(line) } # rubocop:disable Security/Eval -- printed by APP
    refute_empty rows, result
    rows
  end
end
