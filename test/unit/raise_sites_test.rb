# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/http/raise_sites"
require "frugal/http/undecorated_message"

# Which errors are logged with their backtrace, and the message of the others.
class RaiseSitesTest < Frugal::TestCase
  def setup
    @sites = Frugal::HTTP::RaiseSites.new(every: 10)
  end

  def test_the_first_error_of_each_site_and_then_every_nth
    logged = Array.new(25) { @sites.log_trace?(error { Integer("x") }) }
    assert_equal [0, 9, 19], logged.each_index.select { |index| logged[index] }
    assert @sites.log_trace?(error { Integer("x") }), "another line"
    assert_equal 2, @sites.size
  end

  def test_classes_that_are_raised_in_one_line_are_separate_sites
    kinds = [ArgumentError, KeyError, Class.new(StandardError), Class.new(StandardError)]
    logged = kinds.map { |kind| @sites.log_trace?(error { raise kind }) }
    assert_equal [true, true, true, false], logged # anonymous classes count as one
  end

  def test_the_callers_number_takes_precedence
    assert_equal [true] * 5, Array.new(5) { @sites.log_trace?(error { raise "x" }, 1) }
  end

  def test_errors_without_a_backtrace_or_with_one_that_was_set
    assert_equal [true, false], Array.new(2) { @sites.log_trace?(error { raise KeyError, "x", [] }) }
    assert_equal [true, false], Array.new(2) { @sites.log_trace?(error_with_backtrace("a.rb:7:in `b'")) }
    assert_equal [true, false], Array.new(2) { @sites.log_trace?(ArgumentError.new("never raised")) }
  end

  def test_the_number_of_sites_is_bounded
    limit = Frugal::HTTP::RaiseSites::LIMIT
    # The errors stay referenced, so that the code of each stays in memory, too.
    errors = Array.new(limit + 30) { |line| error { eval("raise 'x'", nil, "made up", line) } }
    logged = errors.map { |one| @sites.log_trace?(one) }
    assert_equal limit + 1, @sites.size
    assert_equal [limit, limit + 9, limit + 19, limit + 29], (limit...logged.size).select { |index| logged[index] }
  end

  def test_callers_of_one_finder_are_separate_sites
    logged = [error { finder },
              error { finder },
              error { [1].each { finder } }].map { |one| @sites.log_trace?(one) }
    assert_equal [true, true, true], logged
  end

  def test_errors_of_the_same_site
    sites = Array.new(3) { Frugal::Native.engine.raise_site(error { deeper(20) }) }
    assert_equal 1, sites.uniq.size
    assert_kind_of Integer, sites.first
    refute_equal sites.first, Frugal::Native.engine.raise_site(error { finder })
    [nil, "x", RuntimeError.new, error { raise KeyError, "x", [] }].each do |one|
      assert_nil Frugal::Native.engine.raise_site(one)
    end
  end

  def test_the_depth_costs_nothing
    costs = [0, 200].map do |depth|
      Array.new(2) do
        error = error { deeper(depth) }
        before = GC.stat(:total_allocated_objects)
        @sites.log_trace?(error)
        GC.stat(:total_allocated_objects) - before
      end.last
    end
    known = Frugal::Native.engine_name == :c && %w[3.1 3.2 3.3 3.4 4.0].include?(RUBY_VERSION[/\A\d+\.\d+/])
    assert_operator costs.last - costs.first, :<=, known ? 0 : 205
  end

  # Afterwards, Ruby still returns the right backtrace.
  def test_under_gc_stress_and_compaction
    result = run_ruby("-W0", "-e", <<~'RUBY')
      engine = Frugal::Native.engine
      def deeper(depth) = depth.zero? ? raise("x") : deeper(depth - 1)
      def error
        deeper(20)
      rescue RuntimeError => e
        e
      end
      GC.stress = true
      sites = Array.new(3) { engine.raise_site(error) }
      GC.stress = false
      trace = error.backtrace.first(22) # without the line of the caller
      GC.auto_compact = true
      same = Array.new(30) do
        one = error
        GC.compact if GC.respond_to?(:compact)
        [engine.raise_site(one).class, one.backtrace.first(22) == trace,
         one.backtrace_locations.map(&:to_s) == one.backtrace]
      end
      p sites.uniq.size, same.uniq
    RUBY
    assert_equal "1\n[[Integer, true, true]]\n", result.out, result
  end

  def test_threads
    threads = Array.new(4) { Thread.new { Array.new(50) { @sites.log_trace?(error { Integer("x") }) }.count(true) } }
    counts = threads.map(&:value)
    assert_equal 21, counts.sum # the first, and every 10th of 200
  end

  def test_messages_without_spelling_suggestions
    receiver = "text"
    missing = error { receiver.upcsae }
    assert_includes full(missing), "upcase"
    refute_includes undecorated(missing), "upcase"
    assert full(missing).start_with?(undecorated(missing).delete_suffix(" (NoMethodError)"))
    key = error { { apple: 1 }.fetch(:appel) }
    refute_includes undecorated(key), "apple"
  end

  def test_messages_of_other_errors_are_unchanged
    own = Class.new(StandardError) { def message = "mine" }
    others = [error { raise "one\ntwo" }, error { raise "" }, error { File.read("/missing") },
              error { raise own, "x" }, error { raise own }]
    others.each { |one| assert_equal full(one), undecorated(one) }
    number = error { Integer("x") } # Ruby 4.0 marks the place in the source
    assert full(number).start_with?(undecorated(number)), full(number)
  end

  # Neither looks at causes.
  def test_a_circle_of_causes
    circle = Class.new(StandardError) { def cause = self }
    one = error { raise circle, "round" }
    assert @sites.log_trace?(one)
    assert_includes undecorated(one), "round"
  end

  private

  def finder = raise(KeyError, "x")

  def deeper(depth) = depth.zero? ? raise("x") : deeper(depth - 1)

  def error
    yield
  rescue Exception => e # rubocop:disable Lint/RescueException -- returned
    e
  end

  def full(error) = error.respond_to?(:detailed_message) ? error.detailed_message(highlight: false) : error.message

  def error_with_backtrace(trace) = KeyError.new("never raised").tap { |error| error.set_backtrace(trace) }

  def undecorated(error)
    error.respond_to?(:detailed_message) ? UndecoratedMessage.detailed(error) : UndecoratedMessage.of(error)
  end

  UndecoratedMessage = Frugal::HTTP::UndecoratedMessage
  private_constant :UndecoratedMessage
end
