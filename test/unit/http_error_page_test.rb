# frozen_string_literal: true

require_relative "../test_helper"
require "json"
require "frugal/http"
require "frugal/http/error_page"

class HTTPErrorPageTest < Frugal::TestCase
  ErrorPage = Frugal::HTTP::ErrorPage
  TYPES = { "text/html" => "text/html; charset=utf-8", "application/json" => "application/problem+json", nil => "text/plain; charset=utf-8" }.freeze

  def test_by_accept
    TYPES.each do |accept, type|
      status, headers, body = ErrorPage.response({ "HTTP_ACCEPT" => accept }, 404)
      assert_equal [404, { "content-type" => type, "vary" => "Accept", "content-length" => body.join.bytesize.to_s }], [status, headers]
      assert_includes body.join, "Not Found"
    end
  end

  def test_problem_json_is_rfc_9457
    Frugal::HTTP::Statuses::REASONS.each do |status, reason|
      body = ErrorPage.response({ "HTTP_ACCEPT" => "application/problem+json" }, status).last.join
      assert_equal({ "type" => "about:blank", "title" => reason, "status" => status }, JSON.parse(body))
    end
  end

  def test_a_status_without_a_name
    TYPES.each_key do |accept|
      status, headers, body = ErrorPage.response({ "HTTP_ACCEPT" => accept }, 499)
      assert_equal [499, body.join.bytesize.to_s], [status, headers["content-length"]]
      assert_includes body.join, "499"
    end
  end

  def test_head_has_the_length_and_no_body
    assert_equal [404, { "content-type" => "text/plain; charset=utf-8", "vary" => "Accept", "content-length" => "14" }, []],
                 ErrorPage.response({ "REQUEST_METHOD" => "HEAD" }, 404)
    assert_equal ["2", []], ErrorPage.response({ "REQUEST_METHOD" => "HEAD" }, 404, "no").then { |_, headers, body| [headers["content-length"], body] }
  end

  def test_a_given_body_is_sent_unchanged
    { "né" => "text/plain; charset=utf-8", "" => "text/plain; charset=utf-8", "\xFF".b => "text/plain",
      "n\xE9".dup.force_encoding("ISO-8859-1") => "text/plain" }
      .each do |given, type|
        _, headers, body = ErrorPage.response({ "HTTP_ACCEPT" => "text/html" }, 404, given)
        assert_equal({ "content-type" => type, "content-length" => given.bytesize.to_s }, headers)
        assert_same given, body.first
      end
    assert_equal "text/html", ErrorPage.response({}, 404, "<p>", "Content-Type" => "text/html")[1]["content-type"]
  end

  def test_headers_are_added_in_lower_case
    given = { "Retry-After" => "5", "Content-Length" => "99", "transfer-encoding" => "chunked", "Set-Cookie" => %w[a=1 b=2] }.freeze
    _, headers, = ErrorPage.response({}, 429, nil, given)
    assert_equal({ "content-type" => "text/plain; charset=utf-8", "vary" => "Accept", "content-length" => "22",
                   "retry-after" => "5", "set-cookie" => %w[a=1 b=2] }, headers)
  end

  def test_vary_keeps_the_given_names
    { "Cookie" => "Cookie, Accept", "*" => "*", "Origin, accept" => "Origin, accept", "Accept-Encoding" => "Accept-Encoding, Accept",
      %w[A B] => "A, B, Accept" }.each { |given, vary| assert_equal vary, ErrorPage.response({}, 404, nil, "Vary" => given)[1]["vary"] }
    assert_equal "Cookie", ErrorPage.response({}, 404, "no", "Vary" => "Cookie")[1]["vary"]
  end

  def test_headers_that_cannot_be_sent
    { "a" => "b\r\nc: d", "a\n" => "b", "b" => nil, 1 => "a" }.each do |name, value|
      assert_raises(ArgumentError) { ErrorPage.response({}, 404, nil, name => value) }
    end
  end

  def test_a_response_may_be_changed
    response = ErrorPage.response({}.freeze, 404)
    refute(response.any?(&:frozen?) && !response.first.is_a?(Integer))
    response[1]["x"] = "1"
    response[2] << "more"
    assert_equal [3, 1], ErrorPage.response({}, 404).then { |_, headers, body| [headers.size, body.size] }
  end

  def test_cost
    env = {}
    assert_equal 3, allocations { ErrorPage.response(env, 404) }
  end
end
