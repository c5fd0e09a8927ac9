# frozen_string_literal: true

require_relative "rails_runs"

# For tests of the Rails drop-in: each test declares its requests and how the application is
# configured, and a new process boots a real Rails application for them, stock and with the drop-in.
#
#   def test_an_unknown_route
#     assert_same_as_stock([["GET", "/nowhere"]], log_level: "debug")
#   end
#
# A request is [verb, path, options]; test/support/rails_app/observer.rb lists the options, and what is
# observed of each request. test/support/rails_app/application.rb lists the settings.
module RailsCase
  REQUESTS = RailsApp::Requests

  def setup
    skip WebGems::MISSING unless WebGems.available?("railties", "activerecord", "sqlite3", "rack")
    super
  end

  # @return [Array<Array>] one GET request for each path
  def gets(*paths, **options)
    paths.map { |path| ["GET", path, options.transform_keys(&:to_s)] }
  end

  # @param settings [Hash] of the application
  # @return [Array<Hash>] what was observed of each request, with the drop-in
  def with_dropin(requests, **settings)
    RailsRuns.see([{ frugal: true, **settings, requests: requests }]).first
  end

  # @param only_dropin [Hash] settings of the application with the drop-in only
  # @return [Array(Array<Hash>, Array<Hash>)] what was observed of stock, and with the drop-in
  def stock_and_dropin(requests, only_dropin: {}, **settings)
    stock = { **settings, requests: requests }
    RailsRuns.see([stock, { **stock, **only_dropin, frugal: true }])
  end

  # @param variant [Symbol] of {RailsRuns::VARIANTS}
  # @return [Array<Hash>] what was observed of stock
  def assert_variant_same_as_stock(requests, variant)
    seen = RailsRuns.compare(requests, variants: [variant])
    seen.each { |_, request, stock, dropin| assert_alike(request, stock, dropin) }
    seen.map { |_, _, stock, _| stock }
  end

  # @return [Array(Array<Hash>, Array<Hash>)] what was observed of stock, and with the drop-in
  def assert_same_as_stock(requests, **settings)
    stock, dropin = stock_and_dropin(requests, **settings)
    requests.zip(stock, dropin) { |request, *seen| assert_alike(request, *seen) }
    [stock, dropin]
  end

  # @param stock [Hash] what was observed of a request
  # @param dropin [Hash] what was observed of the same request with the drop-in
  def assert_alike(request, stock, dropin)
    return assert(true) if stock == dropin

    different = (stock.keys | dropin.keys).reject { |aspect| stock[aspect] == dropin[aspect] }
    messages = different.map { |aspect| "#{aspect} of #{request.inspect}\n#{diff(stock[aspect], dropin[aspect])}" }
    flunk messages.join("\n")
  end
end
