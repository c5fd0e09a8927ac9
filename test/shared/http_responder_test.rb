# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/rack"

class HTTPResponderTest < Frugal::TestCase
  Responder = Frugal::Rack::Responder
  HTTPError = Frugal::HTTPError

  # An expected error that must not be read.
  class Unreadable < StandardError
    %i[message to_s full_message detailed_message inspect backtrace backtrace_locations].each do |name|
      define_method(name) { |*| raise "#{name} was read" }
    end
  end

  def test_a_response_is_passed_on_unchanged
    response = [200, {}.freeze, ["ok"]].freeze
    assert_same response, Responder.new(->(_) { response }).call({}.freeze)
  end

  def test_halt
    assert_equal [404, "404 Not Found\n"], respond { Frugal.halt(404) }.values_at(0, 2).flatten
    assert_equal [429, { "content-type" => "text/plain; charset=utf-8", "content-length" => "5", "retry-after" => "5" }, ["Later"]],
                 respond { Frugal.halt(429, "Later", "Retry-After" => "5") }
    assert_equal [410, "application/problem+json"],
                 respond({ "HTTP_ACCEPT" => "application/json" }) { raise HTTPError::Gone, "secret" }.then { |status, headers, _| [status, headers["content-type"]] }
  end

  def test_rescue_responses
    { KeyError => 404, Errno::EACCES => 403, EOFError => 503 }.each do |kind, status|
      assert_equal [status], respond(rescue_responses: { "KeyError" => 404, "Errno::EACCES" => :forbidden, IOError => 503 }) { raise kind, "secret" }.take(1)
    end
  end

  def test_never_reads_nor_sends_message_and_backtrace
    response = respond(rescue_responses: { Unreadable => 500 }) { raise Unreadable, "secret" }
    assert_equal [500, ["500 Internal Server Error\n"]], response.values_at(0, 2)
    refute_includes respond({ "HTTP_ACCEPT" => "text/html" }) { raise HTTPError::NotFound, "secret" }.inspect, "secret"
  end

  def test_an_unexpected_error_is_the_same_object_with_the_same_backtrace
    own = Class.new(Exception) # rubocop:disable Lint/InheritException -- what no `rescue => e` catches
    [RuntimeError, Interrupt, NotImplementedError, NoMemoryError, SystemExit, own].each do |kind|
      error = nil
      app = ->(_) { raise error }
      stock, ours = [app, Responder.new(app, rescue_responses: { "KeyError" => 404 })].map do |stack|
        error = kind.new("x")
        assert_same error, caught { stack.call({}) }
        error.backtrace.reject { |line| line.include?("responder.rb") }
      end
      assert_equal stock, ours
    end
  end

  # Otherwise a server could not be stopped while a request is running.
  def test_errors_that_end_a_process_are_not_rescued_by_exception
    [SystemExit, Interrupt, NoMemoryError].each do |kind|
      error = kind.new("x")
      responder = Responder.new(->(_) { raise error }, rescue_responses: { "Exception" => 500 })
      assert_same error, caught { responder.call({}) }
      assert_equal 503, respond(rescue_responses: { "Exception" => 500, kind => 503 }) { raise error }.first
    end
    assert_equal 500, respond(rescue_responses: { "Exception" => 500 }) { raise SystemStackError, "x" }.first
  end

  # To rescue an error and raise it again would render its backtrace as 200 Strings.
  def test_an_unexpected_error_is_not_rendered
    raises = ->(_) { at_depth(200) { raise "unexpected" } }
    responder = Responder.new(raises, rescue_responses: { "KeyError" => 404 })
    stock, ours = [raises, responder].map { |app| allocations { caught { app.call({}) } } }
    assert_operator ours, :<=, stock + 1 # the ancestors of a class are listed only once
  end

  def test_a_throw_is_not_rescued
    assert_equal :thrown, catch(:halt) { respond(rescue_responses: { "StandardError" => 500 }) { throw :halt, :thrown } }
    assert_equal 500, respond(rescue_responses: { "ArgumentError" => 500 }) { throw :nobody }.first # an UncaughtThrowError is an ArgumentError
    assert_raises(UncaughtThrowError) { respond { throw :nobody } }
  end

  def test_nothing_is_answered_on_a_hijacked_connection
    assert_raises(HTTPError::NotFound) { respond({ "rack.hijack_io" => $stdin }) { Frugal.halt(404) } }
  end

  def test_errors_of_a_body_are_left_to_the_server
    body = Object.new.tap { |object| object.define_singleton_method(:each) { |&_| Frugal.halt(404) } }
    assert_raises(HTTPError::NotFound) { respond { [200, {}, body] }[2].each {} }
  end

  def test_nested_and_retried
    inner = Responder.new(->(env) { raise env["kind"], "x" }, rescue_responses: { "KeyError" => 404 })
    outer = Responder.new(inner, rescue_responses: { "KeyError" => 500, "IOError" => 503 })
    assert_equal [404, 503, 404], [KeyError, IOError, KeyError].map { |kind| outer.call({ "kind" => kind }.freeze).first }
    twice = ->(env) { [outer.call(env), outer.call(env)] }
    first, second = twice.call({ "kind" => KeyError })
    assert_equal first, second
    refute_same first[1], second[1]
  end

  def test_an_error_class_whose_response_cannot_be_sent_raises_an_error
    injecting = Class.new(HTTPError) { def headers = { "location" => "/\r\nset-cookie: a=1" } }
    error = assert_raises(ArgumentError) { respond { raise injecting } }
    assert_instance_of injecting, error.cause
    assert_raises(ArgumentError) { respond { raise Class.new(HTTPError) { def body = 1 } } }
    assert_raises(KeyError) { respond { raise Class.new(HTTPError) { def body = raise(KeyError) } } }
    odd = Class.new(HTTPError) { def status = 200 }
    assert_raises(odd) { respond { raise odd } }
  end

  def test_invalid_options
    [{ "KeyError" => 200 }, { "KeyError" => :nonsense }, { 1 => 404 }].each do |responses|
      assert_raises(ArgumentError) { Responder.new(nil, rescue_responses: responses) }
    end
  end

  def test_a_frozen_responder_in_many_threads
    responder = Responder.new(->(env) { raise env["kind"], "x" }, rescue_responses: { "StandardError" => 500, "KeyError" => 404 }).freeze
    statuses = Array.new(8) { |i| Thread.new { Array.new(200) { responder.call({ "kind" => [KeyError, IOError][i % 2] }).first } } }.flat_map(&:value)
    assert_equal({ 404 => 800, 500 => 800 }, statuses.tally)
  end

  def test_an_application_that_ractors_share
    skip "this Ruby has no Ractors" unless RUBY_ENGINE == "ruby"

    result = run_ruby("-W0", RACTOR_VALUE, "-rfrugal/rack", "-e", <<~'RUBY')
      class App
        def call(env) = raise(env["kind"], "x")
      end
      APP = Ractor.make_shareable(Frugal::Rack::Responder.new(App.new, rescue_responses: { "IndexError" => 404 }))
      def ask = [Frugal::HTTPError::Gone, KeyError, KeyError].map { |kind| APP.call({ "kind" => kind, "HTTP_ACCEPT" => "application/json" }).first }
      2.times do
        ractor = Ractor.new { ask }
        p ractor.value, ask
      end
    RUBY
    assert_equal ["[410, 404, 404]"] * 4, result.out.lines(chomp: true), result
  end

  def test_a_stack_overflow_may_be_expected
    skip "JRuby raises an error of Java" unless RUBY_ENGINE == "ruby"

    deep = ->(env) { deep.call(env) }
    assert_equal 500, Responder.new(deep, rescue_responses: { "SystemStackError" => 500 }).call({}).first
    assert_raises(SystemStackError) { Responder.new(deep, rescue_responses: { "StandardError" => 500 }).call({}) }
  end

  def test_costs_nothing_if_nothing_is_raised
    response = [200, {}, []]
    app = ->(_) { response }
    responder = Responder.new(app)
    env = {}
    assert_equal 0, allocations { responder.call(env) }
    calls = 0
    watch = TracePoint.new(:call, :c_call, :b_call) { calls += 1 }
    watch.enable { responder.call(env) }
    assert_equal 3, calls # the Responder's, the application's Proc#call and that Proc
  end

  def test_costs_the_same_at_any_depth
    [->(_) { Frugal.halt(404) }, ->(_) { Frugal.signal(KeyError, "x") }].each do |app|
      responder = Responder.new(app, rescue_responses: { "KeyError" => 404 })
      env = {}
      objects = [0, 50, 200].map { |depth| at_depth(depth) { allocations { responder.call(env) } } }
      assert_equal 1, objects.uniq.size, objects
      assert_operator objects.max, :<=, 5 # the error, three for a response, and one that the VM makes for a raise
    end
  end

  def test_many_paths_use_no_more_memory
    skip "JRuby does not count objects" unless RUBY_ENGINE == "ruby"

    responder = Responder.new(->(env) { raise KeyError, "no #{env["PATH_INFO"]}" }, rescue_responses: { "KeyError" => 404 })
    random = Random.new(6)
    ask = -> { 50_000.times { responder.call({ "PATH_INFO" => random.bytes(20), "HTTP_ACCEPT" => random.bytes(20) }) } }
    before, after = Array.new(2) { ask.call.then { live_objects } }
    assert_operator after - before, :<=, 200 # fewer, where what earlier tests left is collected only now
  end

  private

  def respond(env = {}, rescue_responses: {}, &app) = Responder.new(->(_) { app.call }, rescue_responses: rescue_responses).call(env)

  def at_depth(depth, &block) = depth.zero? ? block.call : at_depth(depth - 1, &block)

  def live_objects
    3.times { GC.start }
    ObjectSpace.count_objects.then { |counts| counts[:TOTAL] - counts[:FREE] }
  end

  def caught
    yield
    nil
  rescue Exception => e # rubocop:disable Lint/RescueException -- these are what is tested
    e
  end
end
