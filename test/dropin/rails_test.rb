# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rails_runs"
require_relative "../support/web_server"

# A real Rails application, stock and with the drop-in: what clients, the log's
# readers, subscribers and reporters see of each error.
class RailsTest < Frugal::TestCase
  include WebServer::Serving

  REQUESTS = RailsApp::Requests
  BETWEEN = (REQUESTS::KINDS + %w[/own_exception /frozen]).map { |path| ["GET", path] }
  # The error's line in the log, by path.
  LINES = { "/gone" => /Gone \(no such thing\)/, "/missing_on_nil" => /undefined method [`']upcase_it'/, "/nowhere" => /No route matches/,
            "/partial" => /Template::Error \(Couldn't find Item/ }.freeze
  TIMES = 6 # that each of them is asked for
  COUNTED = %w[/gone?depth=1 /gone?depth=200 /nowhere].flat_map { |path| [["GET", path, { "count" => true }]] * 4 }.freeze

  UNKNOWN = %w[/nowhere /no/where/at/all /NOWHERE /nowhere/ /nowhere/page /stat /fil].product(%w[GET HEAD], [nil, "application/json", "text/plain"]).freeze
  # What is there, what may be, and what is left to stock.
  KNOWN = (%w[/ /page /page/ //page /page.exe /file.txt /static /docs /docs/ /mounted/x /mounted-x /mounted/pass /items/1 /admin/x /redirected
              /digits/x /a%20b.txt /%70age /nowhere.json /%ff /../page /page/../x /nowhere/../file.txt /page-x /auth/x /-].product(%w[GET HEAD], [nil]) +
           [["/nowhere", "POST", nil], ["/nowhere", "FOO", nil], ["/page", "POST", nil]]).freeze
  CHECKED = ((UNKNOWN + KNOWN).map { |path, verb, type| [verb, path, { "headers" => { "HTTP_ACCEPT" => type } }] } + [
    ["GET", "/nowhere", { "locale" => "de" }], ["GET", "/nowhere?format=json"], ["GET", "/nowhere", { "settings" => { "show_exceptions" => "none" } }],
    ["GET", "/nowhere", { "settings" => { "show_detailed_exceptions" => true } }], ["GET", "/nowhere?%66ormat=json"],
    ["HEAD", "/nowhere", { "headers" => { "HTTP_ACCEPT" => "nothing" } }], ["GET", "/nowhere", { "headers" => { "HTTP_ACCEPT" => "\xff" } }]
  ]).freeze
  # An application on / answers whatever no route does; and an unknown route may be another's status.
  MOUNTED = { requests: [%w[GET /nowhere], %w[HEAD /no/where], %w[GET /page]], change: "Rails.application.routes.append { mount RailsApp::MOUNTED => '/' }" }.freeze
  GONE = { requests: [%w[GET /nowhere]], change: 'Rails.application.config.action_dispatch.rescue_responses["ActionController::RoutingError"] = :gone' }.freeze

  SET_LATE = { requests: [%w[GET /nowhere], %w[GET /page]], frugal: true, change: 'Rails.application.config.paths["config/initializers"] = "initializers"' }.freeze
  LAZY = { requests: [%w[GET /gone], %w[GET /missing_on_nil], %w[GET /nowhere], %w[GET /page]], lazy: true }.freeze

  # As error reporters do, before the drop-in comes or after it.
  PREPENDED = <<~RUBY
    noted = ->(name, error = nil) { Recorder::SEEN << [name, error, error&.backtrace] }
    rendering = Module.new { define_method(:render_exception) { |request, error, *rest| noted["rendered", error].then { super(request, error, *rest) } } }
    calling = Module.new { define_method(:call) { |env| noted["called"].then { super(env) } } }
    instrumenting = Module.new do
      define_method(:instrument) { |name, payload = {}, &block| noted[name] && super(name, payload.merge!(began: true), &block) }
    end
  RUBY
  PARTS = { rendering: "ActionDispatch::DebugExceptions", instrumenting: "ActiveSupport::Notifications::Instrumenter",
            calling: "ActionDispatch::DebugExceptions" }.map { |part, target| "#{target}.prepend(#{part})" }.freeze
  PREPENDS = [PARTS.first(2).join(";"), "app.config.after_initialize { #{PARTS.first(2).join(";")} }", "app.config.after_initialize { #{PARTS.last} }"].map do |change|
    { requests: %w[/gone /missing_on_nil /nowhere /page /own_exception].map { |path| ["GET", path, { "watched" => true }] }, change: PREPENDED + change }
  end.freeze

  STATES = {
    "aside: ActionDispatch::ShowExceptions#call was redefined" => { change: "ActionDispatch::ShowExceptions.prepend(Module.new { def call(env) = super })" },
    "aside: Rails 9.9.1 is not known (7.0 to 8.1 are)" => { change: 'Rails::VERSION.send(:remove_const, :STRING); Rails::VERSION::STRING = "9.9.1"' },
    "aside: developers see the errors (config.consider_all_requests_local)" => { local: true, lazy: true },
    "off: FRUGAL=0" => { env: { "FRUGAL" => "0" } },
    "off: FRUGAL_RAILS=0" => { env: { "FRUGAL_RAILS" => "0" } }
  }.freeze

  # One process loads Rails for all.
  def self.seen
    @seen ||= begin
      logged = LINES.keys.flat_map { |path| [["GET", path]] * TIMES }
      plan = { short_log: { requests: logged, trace_every: 3, frugal: true },
               counted: { requests: COUNTED + [["GET", "/key", { "watched" => true }]] * 2, trace_every: 1000, frugal: true },
               stock_route: { requests: CHECKED }, checked_route: { requests: CHECKED, frugal: true, route_check: ["/auth"] } }
      plan[:reported] = { requests: [%w[GET /nowhere]] * 3, trace_every: 1000, frugal: true, change: 'ActionDispatch::ExceptionWrapper.rescue_responses.delete("ActionController::RoutingError")' }
      { mount: MOUNTED, gone: GONE }.each { |name, run| plan.update("stock_#{name}": run, "checked_#{name}": run.merge(frugal: true, route_check: true)) }
      plan.update(RailsRuns.plan(REQUESTS.each_once + REQUESTS.few, :quiet), RailsRuns.plan(REQUESTS.each_once, :watched),
                  RailsRuns.plan(BETWEEN, :between))
      PREPENDS.each_with_index { |run, index| plan.update("stock_prepended#{index}": run, "ours_prepended#{index}": run.merge(frugal: true)) }
      plan[:set_late] = SET_LATE
      plan.update(stock_lazy: LAZY, ours_lazy: LAZY.merge(frugal: true))
      STATES.each { |state, run| plan[state] = run.merge(requests: [], state: true, frugal: true) }
      plan.keys.zip(RailsRuns.see(plan.values)).to_h
    end
  end

  def setup
    skip WebGems::MISSING unless WebGems.available?("railties", "activerecord", "sqlite3", "rack")
  end

  def test_each_error_is_seen_as_with_stock
    assert_same(REQUESTS.each_once + REQUESTS.few, :quiet)
    statuses = seen(:stock_quiet).map { |one| one["status"] }
    assert_empty [200, 301, 400, 403, 404, 406, 410, 418, 422, 500] - statuses
  end

  def test_subscribers_reporters_and_interceptors_see_the_same
    assert_same(REQUESTS.each_once, :watched)
    assert_operator seen(:stock_watched).sum { |one| one["reports"].size }, :>, 10
  end

  def test_a_middleware_between_sees_the_same
    assert_same(BETWEEN, :between)
    assert_operator seen(:stock_between).sum { |one| one["passed"].size }, :>=, BETWEEN.size
  end

  # What ours need not call is called where somebody else waits there.
  def test_whoever_stands_before_a_method_that_need_not_be_called_sees_the_same
    PREPENDS.each_with_index do |run, index|
      assert_same(run[:requests], :"prepended#{index}")
      assert_operator seen(:"stock_prepended#{index}").sum { |one| one["passed"].size }, :>=, 4
    end
  end

  def test_other_versions
    requests = (REQUESTS::KINDS + %w[/page /own_exception /key /nowhere.json]).map { |path| ["GET", path] }
    RailsRuns.versions[0...-1].each do |version|
      RailsRuns.compare(requests, variants: [:quiet], rails: version).each { |_, request, stock, ours| assert_alike([version, request], stock, ours) }
    end
  end

  # The trace of the first of a raise site, and of each third.
  def test_the_log_has_one_trace_of_a_raise_site_and_then_each_nth
    ours = seen(:short_log).map { |one| one["log"] }.each_slice(TIMES).to_a
    places = 0
    LINES.each_with_index do |(path, line), number|
      whole = seen(:stock_quiet).fetch(REQUESTS.each_once.index(["GET", path]))["log"]
      ours[number].each.with_index(1) do |short, index|
        next assert_equal(whole, short, "#{path}, number #{index}") if index == 1 || (index % 3).zero?

        assert_operator short.size, path == "/nowhere" ? :<= : :<, whole.size, "#{path}, number #{index}"
        refute_empty short.grep(line), short.join
        assert_empty short - whole - short.grep(/undefined method/)
        place = whole.find { |text| text.match?(/\.e?rb:\d+\s*\z/) } unless path == "/nowhere"
        next unless place

        assert_includes short, place, "#{path}: where it was raised"
        places += 1
      end
    end
    assert_operator places, :>=, 4
  end

  # Whoever listens hears all of a message.
  def test_a_subscriber_is_told_the_whole_message
    short = seen(:counted).last
    told = short["events"].find { |name,| name == "process_action.action_controller" }[3].last
    assert_includes told, "key not found"
    return unless RUBY_VERSION < "3.2" # where spelling help is a part of the message

    assert_includes told, ":apple"
    refute_includes short["log"].join, ":apple"
  end

  # No trace becomes strings or objects, however deep.
  def test_allocations_do_not_depend_on_the_depth
    shallow, deep = seen(:counted).first(8).map { |one| one["allocated"] }.each_slice(4).map(&:last)
    assert_in_delta shallow, deep, 4 # the depth in the parameters has more digits
  end

  def test_an_unknown_route_raises_nothing
    assert_equal [1, 0, 0, 0], seen(:counted)[8, 4].map { |one| one["raised"] } # the first, for its trace in the log
  end

  # What no route, file, mount or header asks for; what goes on is answered, and logged, as with stock.
  # What is no expected error is reported, and who reports it wants to know where it was raised.
  def test_an_unknown_route_that_is_an_error_has_a_trace
    seen(:reported).each do |one|
      assert_equal [500, "true"], [one["status"], one["env"]["action_dispatch.report_exception"]]
      assert_equal "a middleware", one["exception"][3]
    end
  end

  def test_route_check
    all = CHECKED.zip(seen(:stock_route), seen(:checked_route))
    refused, passed = all.partition { |_, stock, ours| ours["log"].empty? && !stock["log"].empty? }
    assert_equal UNKNOWN.map { |path, verb,| [verb, path] } << %w[GET /nowhere], refused.map { |request,| request.first(2) }
    refused.each do |request, stock, ours|
      assert_equal [404, stock["body"]], [ours["status"], ours["body"]], request.inspect
      assert_equal stock["headers"].reject { |name,| /x-request-id|x-runtime/i.match?(name) }, ours["headers"], request.inspect
    end
    passed.each { |request, stock, ours| assert_alike(request, stock, ours) }
  end

  def test_route_check_leaves_it_to_a_mount_on_the_root_or_another_status
    MOUNTED[:requests].zip(seen(:stock_mount), seen(:checked_mount)) { |request, stock, ours| assert_alike(request, stock, ours) }
    assert_equal "mounted /nowhere", seen(:checked_mount).first["body"]
    assert_alike(GONE[:requests].first, *seen(:stock_gone), *seen(:checked_gone))
    assert_equal 410, seen(:checked_gone).first["status"]
  end

  # A file in config/initializers may ask for it, too.
  def test_route_check_of_an_initializer
    refused, page = seen(:set_late)
    assert_equal [404, [], 200], [refused["status"], refused["log"], page["status"]]
    refute_empty page["log"]
  end

  # ActionController::Base is not there when the application is initialized. It is on, or booting raises.
  def test_an_application_that_loads_nothing_eagerly
    assert_same(LAZY[:requests], :lazy)
    assert_equal [404, 500, 404, 200], seen(:ours_lazy).map { |one| one["status"] }
  end

  def test_stands_aside_and_is_turned_off
    STATES.each_key { |state| assert_equal state, seen(state) }
  end

  # Errors of each kind on one connection, by a real server.
  def test_puma_keeps_the_connection
    server = serve(<<~RUBY)
      %w[logger stringio tempfile active_support rails action_controller/railtie active_record/railtie].each { |feature| require feature }
      require "#{ROOT}/test/support/rails_app/application"
      run RailsApp.boot("frugal" => true, "lib" => "#{LIB}", "route_check" => true, "trace_every" => 1000)
    RUBY
    server.client do |client|
      paths = %w[/page /gone /gone?depth=150 /missing_on_nil /nowhere /nowhere.json /handled /page]
      assert_equal [200, 404, 404, 500, 404, 404, 410, 200], paths.map { |path| client.get(path).status }
      assert_equal 1, client.connections
    end
  end

  # As Rails' own tests do for a while: it is asked as early, and as often, as by stock; not so before and after.
  def test_somebody_else_lists_the_templates
    script = <<~RUBY
      %w[logger rails action_controller action_view frugal/dropin/rails].each { |feature| require feature }
      Frugal::Dropin::Rails.install if ARGV.first == "ours"
      def view = raise("in a template")
      ERROR = begin view; rescue => e; e; end
      def wrapper = ActionDispatch::ExceptionWrapper.new(nil, ERROR)
      def made = wrapper.instance_variable_get(:@backtrace).nil? ? 0 : 1
      registry = ActionView::PathRegistry.singleton_class
      templates = [Struct.new(:built_templates).new([Struct.new(:method_name).new("view")])]
      asked = 0
      before = made
      registry.alias_method :kept, :all_resolvers
      registry.define_method(:all_resolvers) { (asked += 1) && templates }
      one = wrapper
      registry.alias_method :all_resolvers, :kept
      print before, one.full_trace.first.class, asked, made
    RUBY
    versions = RailsRuns.versions.select { |version| version >= "7.1" }
    refute_empty versions
    versions.each do |version|
      options = ["-W0", "-I", LIB, *WebGems.options(RailsRuns::GEMS.to_h { |gem| [gem, version] }), "-e", script]
      stock, ours = %w[stock ours].map { |side| run_command(RUBY, *options, side, env: WebGems::ENVIRONMENT) }
      # Ruby 3.4 names a frame with its class: Rails 7 finds no template by that.
      location = RUBY_VERSION < "3.4" ? "ActionDispatch::ExceptionWrapper::SourceMapLocation" : stock.out[/[A-Z].*[a-z]/]
      assert_equal "1#{location}11", stock.out, stock.err
      assert_equal "0#{location}10", ours.out, ours.err
    end
  end

  def test_without_rails
    result = run_ruby("-e", %(require "frugal/rails"), env: { "GEM_PATH" => tree, "GEM_HOME" => tree })
    assert_match(%r{frugal/rails is for a Rails application.*gem "rails"}, result.err)
  end

  private

  def seen(name) = self.class.seen.fetch(name)

  def assert_same(requests, variant)
    requests.zip(seen(:"stock_#{variant}"), seen(:"ours_#{variant}")) { |request, stock, ours| assert_alike(request, stock, ours) }
  end

  def assert_alike(request, stock, ours)
    return assert(true) if stock == ours

    flunk (stock.keys | ours.keys).reject { |what| stock[what] == ours[what] }
                                  .map { |what| "#{what} of #{request.inspect}\n#{diff(stock[what], ours[what])}" }.join("\n")
  end
end
