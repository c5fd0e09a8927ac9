# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/http/raise_sites"
require "frugal/http/plain_message"

# Which errors a log shows whole, and what it says of the others.
class RaiseSitesTest < Frugal::TestCase
  def setup
    @sites = Frugal::HTTP::RaiseSites.new(every: 10)
  end

  def test_the_first_from_each_place_then_each_nth
    whole = Array.new(25) { @sites.whole?(error { Integer("x") }) }
    assert_equal [0, 9, 19], whole.each_index.select { |index| whole[index] }
    assert @sites.whole?(error { Integer("x") }), "another line"
    assert_equal 2, @sites.size
  end

  def test_classes_of_one_line_are_told_apart
    kinds = [ArgumentError, KeyError, Class.new(StandardError), Class.new(StandardError)]
    whole = kinds.map { |kind| @sites.whole?(error { raise kind }) }
    assert_equal [true, true, true, false], whole # one that has no name is like any other
  end

  def test_the_callers_number_counts
    assert_equal [true] * 5, Array.new(5) { @sites.whole?(error { raise "x" }, 1) }
  end

  def test_errors_without_a_trace_or_with_one_of_their_own
    assert_equal [true, false], Array.new(2) { @sites.whole?(error { raise KeyError, "x", [] }) }
    assert_equal [true, false], Array.new(2) { @sites.whole?(KeyError.new("never raised").tap { |one| one.set_backtrace("a.rb:7:in `b'") }) }
    assert_equal [true, false], Array.new(2) { @sites.whole?(ArgumentError.new("never raised")) }
  end

  def test_bounded
    limit = Frugal::HTTP::RaiseSites::LIMIT
    errors = Array.new(limit + 30) { |line| error { eval("raise 'x'", nil, "made up", line) } } # kept, so that each has code of its own
    whole = errors.map { |one| @sites.whole?(one) }
    assert_equal limit + 1, @sites.size
    assert_equal [limit, limit + 9, limit + 19, limit + 29], (limit...whole.size).select { |index| whole[index] }
  end

  def test_callers_of_one_finder_are_told_apart
    whole = [error { finder },
             error { finder },
             error { [1].each { finder } }].map { |one| @sites.whole?(one) }
    assert_equal [true, true, true], whole
  end

  def test_places_that_are_the_same
    sites = Array.new(3) { Frugal::Native.engine.raise_site(error { deeper(20) }) }
    assert_equal 1, sites.uniq.size
    assert_kind_of Integer, sites.first
    refute_equal sites.first, Frugal::Native.engine.raise_site(error { finder })
    [nil, "x", RuntimeError.new, error { raise KeyError, "x", [] }].each { |one| assert_nil Frugal::Native.engine.raise_site(one) }
  end

  def test_the_depth_costs_nothing
    costs = [0, 200].map do |depth|
      Array.new(2) do
        error = error { deeper(depth) }
        before = GC.stat(:total_allocated_objects)
        @sites.whole?(error)
        GC.stat(:total_allocated_objects) - before
      end.last
    end
    known = Frugal::Native.engine_name == :c && %w[3.1 3.2 3.3 3.4 4.0].include?(RUBY_VERSION[/\A\d+\.\d+/])
    assert_operator costs.last - costs.first, :<=, known ? 0 : 205
  end

  # What Ruby says of the trace afterwards is right, too.
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
      trace = error.backtrace.first(22) # as far as it does not depend on the line that calls
      GC.auto_compact = true
      same = Array.new(30) do
        one = error
        GC.compact if GC.respond_to?(:compact)
        [engine.raise_site(one).class, one.backtrace.first(22) == trace, one.backtrace_locations.map(&:to_s) == one.backtrace]
      end
      p sites.uniq.size, same.uniq
    RUBY
    assert_equal "1\n[[Integer, true, true]]\n", result.out, result
  end

  def test_threads
    counts = Array.new(4) { Thread.new { Array.new(50) { @sites.whole?(error { Integer("x") }) }.count(true) } }.map(&:value)
    assert_equal 21, counts.sum # the first, and each 10th of 200
  end

  def test_messages_without_help
    receiver = "text"
    missing = error { receiver.upcsae }
    assert_includes full(missing), "upcase"
    refute_includes plain(missing), "upcase"
    assert full(missing).start_with?(plain(missing).delete_suffix(" (NoMethodError)"))
    key = error { { apple: 1 }.fetch(:appel) }
    refute_includes plain(key), "apple"
  end

  def test_messages_of_other_errors_are_theirs
    own = Class.new(StandardError) { def message = "mine" }
    others = [error { raise "one\ntwo" }, error { raise "" }, error { File.read("/missing") }, error { raise own, "x" }, error { raise own }]
    others.each { |one| assert_equal full(one), plain(one) }
    number = error { Integer("x") } # Ruby 4.0 marks the place in the source
    assert full(number).start_with?(plain(number)), full(number)
  end

  # Neither looks at causes.
  def test_a_circle_of_causes
    circle = Class.new(StandardError) { def cause = self }
    one = error { raise circle, "round" }
    assert @sites.whole?(one)
    assert_includes plain(one), "round"
  end

  private

  def finder = raise(KeyError, "x")

  def deeper(depth) = depth.zero? ? raise("x") : deeper(depth - 1)

  def error
    yield
  rescue Exception => e
    e
  end

  def full(error) = error.respond_to?(:detailed_message) ? error.detailed_message(highlight: false) : error.message

  def plain(error) = error.respond_to?(:detailed_message) ? PlainMessage.detailed(error) : PlainMessage.of(error)

  PlainMessage = Frugal::HTTP::PlainMessage
  private_constant :PlainMessage
end
