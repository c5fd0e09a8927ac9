# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rails_case"

# A real Rails application, stock and with the drop-in: clients, readers of the log, subscribers and
# error reporters see the same of each error.
class RailsTest < Frugal::TestCase
  include RailsCase

  def test_each_error_is_the_same_as_with_stock
    stock = assert_variant_same_as_stock(REQUESTS.each_once + REQUESTS.few, :quiet)
    assert_empty [200, 301, 400, 403, 404, 406, 410, 418, 422, 500] - stock.map { |seen| seen["status"] }
  end

  def test_subscribers_reporters_and_interceptors_see_the_same
    stock = assert_variant_same_as_stock(REQUESTS.each_once, :watched)
    assert_operator stock.sum { |seen| seen["reports"].size }, :>, 10
  end

  def test_a_middleware_between_the_two_patched_ones_sees_the_same
    requests = gets(*REQUESTS::KINDS, "/own_exception", "/frozen")
    stock = assert_variant_same_as_stock(requests, :between)
    assert_operator stock.sum { |seen| seen["passed"].size }, :>=, requests.size
  end

  def test_each_known_version_of_rails
    requests = gets(*REQUESTS::KINDS, "/page", "/own_exception", "/key", "/nowhere.json")
    RailsRuns.versions[0...-1].each do |version|
      RailsRuns.compare(requests, variants: [:quiet], rails: version)
               .each { |_, request, stock, dropin| assert_alike([version, request], stock, dropin) }
    end
  end

  # Modules that error reporters prepend to methods which the drop-in skips. Each notes in Recorder::SEEN
  # that it was called.
  REPORTERS = <<~RUBY
    noted = ->(name, error = nil) { Recorder::SEEN << [name, error, error&.backtrace] }
    rendering = Module.new do
      define_method(:render_exception) { |request, error, *rest| noted["rendered", error] && super(request, error, *rest) }
    end
    calling = Module.new { define_method(:call) { |env| noted["called"] && super(env) } }
    instrumenting = Module.new do
      define_method(:instrument) do |name, payload = {}, &block|
        noted[name] && super(name, payload.merge!(began: true), &block)
      end
    end
  RUBY
  RENDERING_AND_INSTRUMENTING = "ActionDispatch::DebugExceptions.prepend(rendering);" \
                                "ActiveSupport::Notifications::Instrumenter.prepend(instrumenting)"
  CALLING = "ActionDispatch::DebugExceptions.prepend(calling)"

  { "rendering_and_instrumenting_before_the_drop_in" => RENDERING_AND_INSTRUMENTING,
    "rendering_and_instrumenting_after_the_drop_in" => "app.config.after_initialize { #{RENDERING_AND_INSTRUMENTING} }",
    "calling_after_the_drop_in" => "app.config.after_initialize { #{CALLING} }" }.each do |name, prepend|
    define_method("test_a_reporter_that_prepends_to_#{name}_sees_the_same") do
      requests = gets("/gone", "/missing_on_nil", "/nowhere", "/page", "/own_exception", watched: true)
      stock, = assert_same_as_stock(requests, change: REPORTERS + prepend)
      assert_operator stock.sum { |seen| seen["passed"].size }, :>=, 4
    end
  end

  # With these settings an unknown route is an unexpected error. It is reported, and has a backtrace for the reporter.
  def test_an_unknown_route_that_is_reported_has_a_backtrace
    not_expected = 'ActionDispatch::ExceptionWrapper.rescue_responses.delete("ActionController::RoutingError")'
    with_dropin(gets(*%w[/nowhere] * 3), trace_every: 1000, change: not_expected).each do |seen|
      assert_equal [500, "true"], [seen["status"], seen["env"]["action_dispatch.report_exception"]]
      assert_equal "a middleware", seen["exception"][3]
    end
  end

  # Then ActionController::Base is not loaded yet when the application has been initialized. If the drop-in were
  # not on, booting would raise.
  def test_an_application_without_eager_loading
    _, dropin = assert_same_as_stock(gets("/gone", "/missing_on_nil", "/nowhere", "/page"), lazy: true)
    assert_equal [404, 500, 404, 200], dropin.map { |seen| seen["status"] }
  end
end
