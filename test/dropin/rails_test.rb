# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rails_runs"

# A real Rails application, stock and with the drop-in: what clients, the log's
# readers, subscribers and reporters see of each error.
class RailsTest < Frugal::TestCase
  REQUESTS = RailsApp::Requests

  def setup
    skip WebGems::MISSING unless WebGems.available?("railties", "activerecord", "sqlite3", "rack")
  end

  def test_each_error_is_seen_as_with_stock
    seen = RailsRuns.compare(REQUESTS.each_once + REQUESTS.few, variants: RailsRuns::VARIANTS.slice(:quiet))
    assert_same(seen)
    statuses = seen.map { |_, _, stock| stock["status"] }.uniq
    assert_empty [200, 301, 400, 403, 404, 406, 410, 418, 422, 500] - statuses
  end

  def test_subscribers_reporters_and_interceptors_see_the_same
    seen = RailsRuns.compare(REQUESTS.each_once, variants: RailsRuns::VARIANTS.slice(:watched))
    assert_same(seen)
    assert_operator seen.sum { |_, _, stock| stock["reports"].size }, :>, 10
  end

  def test_a_middleware_between_sees_the_same
    requests = (REQUESTS::KINDS + %w[/own_exception /frozen]).map { |path| ["GET", path] } + REQUESTS.few
    assert_same(RailsRuns.compare(requests, variants: RailsRuns::VARIANTS.slice(:between, :inside)))
  end

  private

  def assert_same(seen)
    seen.each do |variant, request, stock, ours|
      (stock.keys | ours.keys).each do |what|
        next if stock[what] == ours[what]

        flunk "#{what} of #{request.inspect} (#{variant})\n#{diff(stock[what], ours[what])}"
      end
    end
  end
end
