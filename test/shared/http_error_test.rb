# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/http"

class HTTPErrorTest < Frugal::TestCase
  HTTPError = Frugal::HTTPError
  Statuses = Frugal::HTTP::Statuses

  def test_halt_raises_the_class_of_the_status
    error = assert_raises(HTTPError::NotFound) { Frugal.halt(404) }
    assert_equal [404, nil, {}, "Not Found", []], [error.status, error.body, error.headers, error.message, error.backtrace]
    assert_instance_of HTTPError::TooManyRequests, assert_raises(HTTPError) { Frugal.halt(:too_many_requests) }
  end

  def test_halt_carries_body_and_headers
    error = assert_raises(HTTPError::Unauthorized) { Frugal.halt(401, "no", "www-authenticate" => "Basic", "set-cookie" => %w[a=1 b=2]) }
    assert_equal ["no", { "www-authenticate" => "Basic", "set-cookie" => %w[a=1 b=2] }], [error.body, error.headers]
  end

  def test_a_status_without_a_name
    error = assert_raises(HTTPError) { Frugal.halt(499) }
    assert_equal [HTTPError, 499, "HTTP status 499"], [error.class, error.status, error.message]
  end

  def test_each_usual_status_has_a_class
    Statuses::REASONS.each do |status, reason|
      assert_equal HTTPError.const_get(reason.delete(" ")), HTTPError[status]
      assert_equal [status, reason], HTTPError[status].new.then { |error| [error.status, error.message] }
    end
    assert_equal HTTPError, HTTPError[418]
    assert_equal HTTPError::UnprocessableContent, HTTPError[:unprocessable_entity]
  end

  def test_values_that_cannot_be_sent_raise_an_argument_error_at_once
    [nil, 0, 200, 304, 399, 600, 404.0, "404", :nonsense, 10**30].each { |status| assert_raises(ArgumentError) { Frugal.halt(status) } }
    [1, :sym, ["a"], Object.new].each { |body| assert_raises(ArgumentError) { Frugal.halt(404, body) } }
    ["a\r", "a\n", "\0", "a\r\nb: c", "a\nb".encode("UTF-16LE"), "\xFF\n", nil, 1, :a, ["a", "b\n"], [1]].each do |value|
      assert_raises(ArgumentError, value.inspect) { Frugal.halt(404, nil, "x" => value) }
    end
    ["", "a\r", "a\n", "\0", :a, nil].each { |name| assert_raises(ArgumentError, name.inspect) { Frugal.halt(404, nil, name => "x") } }
    assert_raises(ArgumentError) { Frugal.halt(404, nil, "x") }
    [200, 600].each { |status| assert_raises(ArgumentError) { HTTPError.new(status: status) } }
  end

  def test_bytes_of_other_encodings_can_be_sent
    value = "caf\xE9"
    assert_equal value, assert_raises(HTTPError) { Frugal.halt(404, nil, "x" => value) }.headers["x"]
  end

  def test_headers_are_a_frozen_copy
    given = { "x" => "1" }
    error = assert_raises(HTTPError) { Frugal.halt(404, nil, given) }
    given["y"] = "2\n"
    assert_equal({ "x" => "1" }, error.headers)
    assert_predicate error.headers, :frozen?
  end

  def test_raised_by_raise
    error = assert_raises(HTTPError::Gone) { raise HTTPError::Gone, "it was here" }
    assert_equal ["it was here", 410, nil], [error.message, error.status, error.body]
    refute_empty error.backtrace
    own = Class.new(HTTPError::Gone)
    assert_equal 410, own.new.status
    assert_equal 418, Class.new(HTTPError) { const_set(:STATUS, 418) }.new.status
    assert_equal 500, HTTPError.new.status
  end

  def test_signal
    error = assert_raises(KeyError) { Frugal.signal(KeyError, "no such user") }
    assert_equal ["no such user", []], [error.message, error.backtrace]
    assert_equal "KeyError", assert_raises(KeyError) { Frugal.signal(KeyError) }.message
    assert_equal Errno::ENOENT.new("x").message, assert_raises(Errno::ENOENT) { Frugal.signal(Errno::ENOENT, "x") }.message
    [nil, "x", String, KeyError.new, Comparable].each { |kind| assert_raises(TypeError) { Frugal.signal(kind) } }
  end

  def test_each_is_a_new_object
    errors = Array.new(2) { assert_raises(KeyError) { Frugal.signal(KeyError) } } + Array.new(2) { assert_raises(HTTPError) { Frugal.halt(404) } }
    assert_equal 4, errors.uniq(&:object_id).size
    refute(errors.any?(&:frozen?))
  end

  def test_the_cause_is_set_as_by_raise
    raise "first"
  rescue RuntimeError => e
    assert_same e, assert_raises(HTTPError) { Frugal.halt(404) }.cause
  end

  def test_full_message_and_inspect_work
    error = assert_raises(HTTPError) { Frugal.halt(404) }
    assert_match(/Not Found \(.*Frugal::HTTPError::NotFound/, error.full_message(highlight: false))
    assert_equal "#<Frugal::HTTPError::NotFound: Not Found>", error.inspect
  end

  # Without a backtrace, the depth of the stack costs nothing.
  def test_costs_the_same_objects_at_any_depth
    [-> { Frugal.signal(KeyError, "x") }, -> { Frugal.halt(404) }].each do |way|
      assert_equal [1] * 3, [0, 50, 200].map { |depth| at_depth(depth) { allocations { rescued(way) } } }
    end
  end

  # In one process, because JRuby starts slowly: the cached setting is removed between the cases.
  def test_settings_for_backtraces
    result = run_ruby("-rfrugal/http", "-e", <<~'RUBY', env: { "RACK_ENV" => nil, "FRUGAL_TRACE" => nil })
      def deep = Frugal.halt(404)
      [{}, { "FRUGAL_TRACE" => "1" }, { "RACK_ENV" => "development" }, { "RACK_ENV" => "development", "FRUGAL_TRACE" => "0" },
       { "RACK_ENV" => "production" }].each do |env|
        %w[RACK_ENV FRUGAL_TRACE].each { |name| ENV[name] = env[name] }
        Frugal::HTTP.remove_instance_variable(:@traces) if Frugal::HTTP.instance_variable_defined?(:@traces)
        begin
          deep
        rescue Frugal::HTTPError => e
          puts [Frugal::HTTP.traces?, e.backtrace.any? { |line| line.include?("deep") }, e.backtrace_locations&.any?.inspect].join(" ")
        end
      end
    RUBY
    with = "true true true"
    without = "false false nil"
    assert_equal [without, with, with, without, without], result.out.lines(chomp: true), result
  end

  private

  def at_depth(depth, &block) = depth.zero? ? block.call : at_depth(depth - 1, &block)

  def rescued(way)
    way.call
  rescue StandardError
    nil
  end
end
