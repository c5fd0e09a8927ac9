# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rails_case"

# config.frugal.route_check: the middleware refuses unknown paths with stock's page, and passes on
# everything else, which is then answered and logged as with stock.
class RailsRouteCheckTest < Frugal::TestCase
  include RailsCase

  UNKNOWN_PATHS = %w[/nowhere /no/where/at/all /NOWHERE /nowhere/ /nowhere/page /stat /fil].freeze
  # Paths of routes, files and mounts, paths that may be such, and paths that only stock can judge.
  OTHER_PATHS = %w[
    / /page /page/ //page /page.exe /file.txt /static /docs /docs/ /mounted/x /mounted-x /mounted/pass /items/1 /admin/x
    /redirected /digits/x /a%20b.txt /%70age /nowhere.json /%ff /../page /page/../x /nowhere/../file.txt /page-x /auth/x /-
  ].freeze
  ACCEPTS = [nil, "application/json", "text/plain"].freeze
  OTHER_LOCALE = ["GET", "/nowhere", { "locale" => "de" }].freeze
  # Unknown paths that are passed on, because of something else in the request or in the settings.
  PASSED_ON = [
    ["GET", "/nowhere?format=json"], ["GET", "/nowhere?%66ormat=json"],
    ["GET", "/nowhere", { "settings" => { "show_exceptions" => "none" } }],
    ["GET", "/nowhere", { "settings" => { "show_detailed_exceptions" => true } }],
    ["HEAD", "/nowhere", { "headers" => { "HTTP_ACCEPT" => "nothing" } }],
    ["GET", "/nowhere", { "headers" => { "HTTP_ACCEPT" => "\xff" } }]
  ].freeze

  def test_unknown_paths_are_refused_with_stocks_page
    requests = UNKNOWN_PATHS.product(%w[GET HEAD], ACCEPTS).map { |path, verb, accept| with_accept(verb, path, accept) }
    requests << OTHER_LOCALE
    stock, checked = stock_and_dropin(requests, only_dropin: { route_check: ["/auth"] })
    requests.zip(stock, checked) do |request, expected, refused|
      assert_empty refused["log"], request.inspect
      refute_empty expected["log"], request.inspect
      assert_equal [404, expected["body"]], [refused["status"], refused["body"]], request.inspect
      headers = expected["headers"].reject { |name,| /x-request-id|x-runtime/i.match?(name) }
      assert_equal headers, refused["headers"], request.inspect
    end
  end

  def test_other_requests_are_passed_on
    known = OTHER_PATHS.product(%w[GET HEAD]) + [%w[/nowhere POST], %w[/nowhere FOO], %w[/page POST]]
    requests = known.map { |path, verb| with_accept(verb, path, nil) } + PASSED_ON
    assert_same_as_stock(requests, only_dropin: { route_check: ["/auth"] })
  end

  # An application that is mounted on "/" answers all paths that no route answers.
  def test_a_mount_on_the_root_answers_unknown_paths
    mount = "Rails.application.routes.append { mount RailsApp::MOUNTED => '/' }"
    requests = [%w[GET /nowhere], %w[HEAD /no/where], %w[GET /page]]
    _, checked = assert_same_as_stock(requests, change: mount, only_dropin: { route_check: true })
    assert_equal "mounted /nowhere", checked.first["body"]
  end

  def test_an_unknown_route_may_have_another_status
    gone = 'Rails.application.config.action_dispatch.rescue_responses["ActionController::RoutingError"] = :gone'
    _, checked = assert_same_as_stock([%w[GET /nowhere]], change: gone, only_dropin: { route_check: true })
    assert_equal 410, checked.first["status"]
  end

  def test_it_can_be_turned_on_by_an_initializer
    initializers = 'Rails.application.config.paths["config/initializers"] = "initializers"'
    refused, page = with_dropin([%w[GET /nowhere], %w[GET /page]], change: initializers)
    assert_equal [404, [], 200], [refused["status"], refused["log"], page["status"]]
    refute_empty page["log"]
  end

  # Then the application cannot ask the check first.
  def test_a_middleware_outside_of_it_is_called_first
    outermost = <<~RUBY
      outermost = Class.new do
        def initialize(app) = @app = app
        def call(env) = env["PATH_INFO"] == "/metrics" ? [200, {}, ["counted"]] : @app.call(env)
      end
      app.initializer("outermost", after: "frugal.route_check", before: :build_middleware_stack) do |one|
        one.config.middleware.insert 0, outermost
      end
    RUBY
    seen = with_dropin([%w[GET /metrics], %w[GET /nowhere], %w[GET /page]], change: outermost, route_check: true)
    assert_equal [[200, "counted"], [404, []]], [seen[0].values_at("status", "body"), seen[1].values_at("status", "log")]
    assert_equal 200, seen[2]["status"]
  end

  # The kept page is the one of all locales until there is one of the request's.
  def test_a_page_that_appears_changes_and_disappears
    steps = { "/add" => "own", "/change" => "changed", "/remove" => nil }
    change = <<~RUBY
      Rails.application.config.paths["public"] = #{mkdir("public").inspect}
      writer = Class.new do
        def initialize(app) = @app = app
        def call(env)
          return @app.call(env) unless #{steps.inspect}.key?(env["PATH_INFO"])

          file = #{path("public/404.en.html").inspect}
          text = #{steps.inspect}[env["PATH_INFO"]]
          text ? File.write(file, text) && File.utime(0, text.size, file) : File.unlink(file)
          [200, {}, []]
        end
      end
      Rails.application.config.middleware.use writer
    RUBY
    File.utime(0, 0, write("public/404.html", "all"))
    unknown = [%w[GET /nowhere]] * 2
    requests = unknown + steps.keys.flat_map { |path| [["POST", path], *unknown] } # only GET and HEAD are refused
    stock, checked = stock_and_dropin(requests, change: change, only_dropin: { route_check: true })
    bodies = checked.map { |seen| seen["body"] }
    assert_equal ["all", "all", "", "own", "own", "", "changed", "changed", "", "all", "all"], bodies
    assert_equal stock.map { |seen| seen["body"] }, bodies
    assert_empty checked[4]["log"]
  end

  # Somebody who redefines the application's method is called, and the middleware then answers by itself.
  def test_a_redefined_call_of_the_application
    change = <<~RUBY
      Rails::Engine.prepend(Module.new { def call(env) = env["PATH_INFO"] == "/own" ? [200, {}, ["own"]] : super })
    RUBY
    after = "app.config.after_initialize { #{change} }"
    [change, after].each do |code|
      seen = with_dropin([%w[GET /own], %w[GET /nowhere], %w[GET /page]], change: code, route_check: true)
      assert_equal ["own", [], 200], [seen[0]["body"], seen[1]["log"], seen[2]["status"]]
    end
  end

  # Preparing it for Rails takes as long as the check. What it costs altogether is in test/cost/figures.
  def test_the_environment_of_a_refused_request_is_not_prepared
    refused, page = with_dropin([%w[GET /nowhere], %w[GET /page]], route_check: true)
                    .map { |seen| seen["env"].keys.grep(/action_dispatch/) }
    assert_empty refused
    assert_includes page, "action_dispatch.show_detailed_exceptions"
  end

  def test_each_known_version_of_rails
    RailsRuns.versions[0...-1].each do |version|
      run = { frugal: true, route_check: true, requests: [%w[GET /nowhere], %w[GET /page]] }
      refused, page = RailsRuns.see([run], rails: version).first
      assert_equal [404, [], 200], [refused["status"], refused["log"], page["status"]], version
      assert_empty refused["env"].keys.grep(/action_dispatch/), version
    end
  end

  private

  def with_accept(verb, path, accept) = [verb, path, { "headers" => { "HTTP_ACCEPT" => accept } }]
end
