# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/http"

# May one exception object be raised again and again, because making one with its backtrace is expensive?
# Each test shows what happens to a shared object, and that it does not happen with Frugal.halt and
# Frugal.signal: they share the class, the message and the empty backtrace, but never the object.
# docs/http.md has the table.
class HTTPReuseTest < Frugal::TestCase
  MRI = RUBY_ENGINE == "ruby"
  class Missing < StandardError
  end

  def setup
    @shared = Missing.new("shared")
  end

  def test_the_backtrace_of_a_shared_object_is_that_of_its_first_raise
    first, second = [-> { here }, -> { there }].map { |way| caught(&way).backtrace.first }
    assert_equal first, second
    assert_match(/here/, second) # although it was raised in there
    assert_equal [[], []], Array.new(2) { caught { halt }.backtrace }
  end

  # It gets neither backtrace nor cause. If it has a backtrace, each raise makes a copy: nothing is shared then.
  def test_a_frozen_object_drops_its_cause_or_is_copied
    skip "JRuby changes frozen exceptions" unless MRI

    bare = caught { caused_by(IOError.new) { raise @shared.freeze } }
    assert_same @shared, bare
    assert_equal [nil, nil], [bare.backtrace, bare.cause] # backtrace.first would raise a NoMethodError
    traced = Missing.new.tap { |error| error.set_backtrace([]) }.freeze
    copy = caught { caused_by(IOError.new) { raise traced } }
    assert_equal [false, false, [], IOError], [copy.equal?(traced), copy.frozen?, copy.backtrace, copy.cause.class]
    assert_raises(FrozenError) { bare.set_backtrace([]) }
    refute_predicate caught { halt }, :frozen?
  end

  def test_the_cause_of_a_shared_object_is_always_its_first
    causes = [RuntimeError.new("first"), RuntimeError.new("second")]
    assert_equal [causes[0]] * 2, causes.map { |cause| caught { caused_by(cause) { raise @shared } }.cause }
    assert_equal causes, causes.map { |cause| caught { caused_by(cause) { halt } }.cause }
    assert_equal causes, causes.map { |cause| caught { caused_by(cause) { Frugal.signal(Missing) } }.cause }
    assert_nil caught { halt }.cause
  end

  # An error keeps its cause in memory, and everything that the cause refers to.
  def test_the_first_cause_of_a_shared_object_is_never_collected
    first = caught { caused_by(IOError.new("holds a request")) { raise @shared } }
    caught { raise @shared }
    assert_equal "holds a request", first.cause.message
    assert_same first, @shared
  end

  def test_instance_variables_of_reporters_stay_in_a_shared_object
    assert_equal [true, false], Array.new(2) { reported?(caught { raise @shared }) }
    assert_raises(FrozenError) { reported?(caught { raise Missing.new.freeze }) }
    assert_equal [true, true], Array.new(2) { reported?(caught { halt }) }
    assert_equal [true, true], Array.new(2) { reported?(caught { Frugal.signal(Missing, "no") }) }
  end

  def test_threads_change_a_shared_object_for_each_other
    traces = in_threads { caught { raise @shared }.tap { |error| error.set_backtrace([Thread.current.inspect]) } }.map(&:backtrace)
    # JRuby's threads are parallel: while one raises, another one may have read the trace before.
    RUBY_ENGINE == "ruby" ? assert_equal(1, traces.uniq.size) : assert_operator(traces.uniq.size, :<, 4)
    errors = in_threads { caught { halt }.tap { |error| error.instance_variable_set(:@thread, Thread.current) } }
    assert_equal 4, errors.uniq(&:object_id).size
    assert_equal 4, errors.map { |error| error.instance_variable_get(:@thread) }.uniq.size
  end

  def test_halt_ends_a_thread_as_any_error_does
    thread = Thread.new { (Thread.current.report_on_exception = false) || halt }
    error = caught { thread.value }
    assert_equal [404, []], [error.status, error.backtrace]
  end

  # Thread#raise makes a new object of a class, and raises an object itself.
  def test_thread_raise
    same = Array.new(2) { raised_in_a_thread(@shared) }
    assert_equal 1, same.uniq(&:object_id).size
    fresh = Array.new(2) { raised_in_a_thread(Frugal::HTTPError::ServiceUnavailable) }
    assert_equal [2, [503]], [fresh.uniq(&:object_id).size, fresh.map(&:status).uniq]
    refute_empty fresh.first.backtrace # an error from another thread has the place where this thread was
  end

  def test_fibers
    fibers = Array.new(2) { Fiber.new { caught { Fiber.yield && raise(@shared) } } }
    assert_equal 1, fibers.each(&:resume).map { |fiber| fiber.resume(true) }.uniq(&:object_id).size
    fiber = Fiber.new { halt }
    error = caught { fiber.resume }
    assert_equal [404, [], false], [error.status, error.backtrace, fiber.alive?]
    waiting = Fiber.new { caught { Fiber.yield } }.tap(&:resume)
    assert_equal 410, waiting.raise(Frugal::HTTPError::Gone).status
  end

  # Another Ractor cannot use this object: it gets an IsolationError, or a copy.
  SHARED = Missing.new("a constant")

  def test_ractors
    skip "this Ruby has no Ractors" unless MRI

    with_ractors do
      isolation = Ractor.new { HTTPReuseTest.caught { raise HTTPReuseTest::SHARED } }
      assert_instance_of Ractor::IsolationError, isolation.value
      copy = Ractor.new(@shared) { |error| HTTPReuseTest.caught { raise error } }
      refute_same @shared, copy.value
      frozen = Ractor.make_shareable(Missing.new("frozen"))
      assert_nil Ractor.new(frozen) { |error| HTTPReuseTest.caught { raise error }.backtrace }.value

      halt = Ractor.new do
        e = HTTPReuseTest.caught { Frugal.halt(429, "Later", "retry-after" => "5") }
        [e.class, e.status, e.body, e.headers, e.backtrace]
      end
      assert_equal [Frugal::HTTPError::TooManyRequests, 429, "Later", { "retry-after" => "5" }, []], halt.value
      assert_equal ["no", []], Ractor.new { HTTPReuseTest.caught { Frugal.signal(KeyError, "no") }.then { |e| [e.message, e.backtrace] } }.value
      remote = caught { Ractor.new { (Thread.current.report_on_exception = false) || Frugal.halt(404) }.value }
      assert_equal [Ractor::RemoteError, 404], [remote.class, remote.cause.status]
    end
  end

  def test_retry
    seen = []
    begin
      halt if seen.size < 2
    rescue Frugal::HTTPError => e
      seen << e
      retry
    end
    assert_equal [2, [nil], [[]]], [seen.uniq(&:object_id).size, seen.map(&:cause).uniq, seen.map(&:backtrace).uniq]
  end

  def test_ensure
    seen = nil
    error = caught do
      halt
    ensure
      seen = $!
    end
    assert_same error, seen
    over = caught do
      halt
    ensure
      raise Missing, "in ensure"
    end
    assert_equal [Missing, 404], [over.class, over.cause.status]
    assert_nil $!
  end

  def test_raise_without_arguments_raises_the_same_object_without_a_backtrace
    first = nil
    [-> { raise }, -> { raise first }].each do |again|
      error = caught do
        halt
      rescue Frugal::HTTPError => e
        first = e
        again.call
      end
      assert_same first, error
      assert_equal [[], nil, nil], [error.backtrace, error.backtrace_locations, error.cause]
    end
  end

  # +raise error, "text"+ raises a copy. That of a shared object has its instance variables, that of a halt its status,
  # body and headers.
  def test_raise_with_another_message
    reported?(@shared)
    copy = caught { raise @shared, "other" }
    assert_equal [false, false, "other"], [copy.equal?(@shared), reported?(copy), copy.message]
    error = caught do
      Frugal.halt(429, "Later", "retry-after" => "5")
    rescue Frugal::HTTPError => e
      raise e, "other"
    end
    assert_equal ["other", 429, "Later", { "retry-after" => "5" }], [error.message, error.status, error.body, error.headers]
    assert_equal "shared", @shared.message
  end

  def test_an_error_without_a_backtrace_can_be_rendered
    [caught { halt }, caught { Frugal.signal(KeyError, "key not found: :fo") },
     caught { Frugal.signal(NameError, "undefined local variable `fo'") }].each do |error|
      assert_includes error.inspect, error.class.name
      assert_includes error.full_message(highlight: false), error.message
      assert_includes error.detailed_message(highlight: false), error.message if error.respond_to?(:detailed_message) # Ruby 3.2
    end
  end

  def test_marshal_keeps_status_body_and_headers
    error = caught { Frugal.halt(429, "Later", "retry-after" => "5") }
    again = Marshal.load(Marshal.dump(error))
    assert_equal [error.class, 429, "Later", { "retry-after" => "5" }, error.message, []],
                 [again.class, again.status, again.body, again.headers, again.message, again.backtrace]
  end

  def test_a_throw_passes_a_rescue_of_exception
    thrown = catch(:halt) do
      throw :halt, :thrown
    rescue Exception # rubocop:disable Lint/RescueException -- a throw is not an exception
      :rescued
    end
    assert_equal :thrown, thrown
  end

  def self.caught
    yield
    nil
  rescue StandardError => e
    e
  end

  private

  def caught(&block) = self.class.caught(&block)
  def halt = Frugal.halt(404)
  def here = raise(@shared)
  def there = raise(@shared)

  def caused_by(cause)
    raise cause
  rescue StandardError
    yield
  end

  # As error reporters mark an error so that they do not report it twice.
  def reported?(error)
    return false if error.instance_variable_defined?(:@reported)

    error.instance_variable_set(:@reported, true)
  end

  def in_threads(&block) = Array.new(4) { Thread.new(&block) }.map(&:value)

  def raised_in_a_thread(what)
    thread = Thread.new { caught { sleep } }
    Thread.pass until thread.stop?
    thread.raise(what)
    thread.value
  end

  # In a process of its own: under Ruby 3.1, a process that has had two Ractors hangs when it loads
  # an encoding.
  def with_ractors
    message = in_process do
      Warning[:experimental] = false
      yield
      "passed, #{assertions} assertions"
    end
    assert_match(/\Apassed, [1-9]/, message)
  end
end
