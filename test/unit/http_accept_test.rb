# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/http/accept"

class HTTPAcceptTest < Frugal::TestCase
  Accept = Frugal::HTTP::Accept

  BROWSERS = [
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8"
  ].freeze

  def test_what_clients_send
    BROWSERS.each { |accept| assert_equal :html, Accept.form(accept), accept }
    assert_equal :problem, Accept.form("application/json, text/plain, */*") # axios
    ["application/json", "application/problem+json", "application/json; charset=utf-8"].each { |accept| assert_equal :problem, Accept.form(accept), accept }
    [nil, "", "*/*", "text/plain", "image/png,image/*;q=0.8", "image/png,*/*;q=0.5"].each { |accept| assert_equal :text, Accept.form(accept), accept }
  end

  def test_the_highest_quality_wins
    { "text/html;q=0.5,application/json;q=0.9" => :problem, "text/html;q=0.9,application/json;q=0.5" => :html,
      "text/plain;q=0.2,text/html;q=0.1" => :text, "application/json;q=0.1,*/*;q=0.9" => :text, "text/html;q=0.3,*/*;q=0.2" => :html,
      "application/json;q=0.001,image/png" => :problem }.each { |accept, form| assert_equal form, Accept.form(accept), accept }
  end

  def test_zero_means_never
    { "text/html;q=0,*/*" => :text, "text/plain;q=0,*/*" => :problem, "text/plain;q=0,application/json;q=0.0,*/*" => :html,
      "text/*;q=0,*/*;q=0.1" => :problem, "application/problem+json;q=0,application/json" => :text,
      "*/*;q=0" => :text, "text/html;q=0" => :text }.each { |accept, form| assert_equal form, Accept.form(accept), accept }
  end

  def test_the_most_specific_range_counts
    { "text/*;q=0.9,text/html;q=0.1,application/json;q=0.5" => :text, "text/html;q=0.7,text/*;q=0.1,*/*;q=0.2" => :html,
      "application/*;q=0.3,text/*;q=0.2" => :problem, "application/json;q=0.9,application/problem+json;q=0.1,text/plain;q=0.5" => :text }
      .each { |accept, form| assert_equal form, Accept.form(accept), accept }
  end

  def test_among_equals_a_name_wins
    { "text/plain,text/html,application/json" => :html, "text/plain,application/json" => :problem, "*/*,application/json" => :problem,
      "text/*" => :text, "application/*" => :problem, "text/*,application/*" => :text }.each { |accept, form| assert_equal form, Accept.form(accept), accept }
  end

  def test_malformed_headers
    { "TEXT/HTML ; Q=1.000" => :html, " text/html" => :html, "text/html;level=1;q=0.3, text/plain;q=0.4" => :text, "text/html;q=2" => :html,
      "text/html;q=-1" => :html, "text/html;q=" => :html, ",,;;q=,," => :text, "\xFF\xFE" => :text, "\xFF,text/html" => :html, "text/\0html" => :text,
      "text" => :text, "/" => :text, ";q=1" => :text, "text/html q=0" => :text, "#{"x/y," * 400}text/html" => :text }
      .each { |accept, form| assert_equal form, Accept.form(accept), accept.inspect }
  end

  # Compares random headers with a slow and simple reference of RFC 9110.
  def test_random_headers
    random = Random.new(6)
    ranges = %w[text/html text/plain application/json application/problem+json text/* application/* */* image/png]
    2_000.times do
      header = Array.new(random.rand(1..4)) { [ranges.sample(random: random), [nil, 0, 0.1, 0.5, 1].sample(random: random)] }.uniq(&:first)
      accept = header.map { |range, quality| quality ? "#{range};q=#{quality}" : range }.join(", ")
      assert_equal reference(header.to_h), Accept.form(accept), accept
    end
  end

  def test_costs_nothing_if_the_header_need_not_be_parsed
    [nil, "*/*", "application/json", BROWSERS.first].each { |accept| assert_equal 0, allocations { Accept.form(accept) } }
  end

  private

  ASKED_BY = {
    html: %w[text/html text/* */*], problem: %w[application/problem+json application/json application/* */*], text: %w[text/plain text/* */*]
  }.freeze
  private_constant :ASKED_BY

  def reference(header)
    quality = ASKED_BY.transform_values { |ranges| ranges.find { |range| header.key?(range) }.then { |range| range ? header[range] || 1 : 0 } }
    best = quality.select { |_, value| value.positive? && value == quality.values.max }.keys
    named = best.select { |form| ASKED_BY[form].grep_v(/\*/).any? { |range| header.key?(range) } }
    named.first || (%i[text problem html] & best).first || :text
  end
end
