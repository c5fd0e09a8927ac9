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
    whole = Array.new(limit + 30) { |line| @sites.whole?(error { eval("raise 'x'", nil, "made up", line) }) }
    assert_equal limit + 1, @sites.size
    assert_equal [limit, limit + 9, limit + 19, limit + 29], (limit...whole.size).select { |index| whole[index] }
  end

  def test_an_object_for_each_frame
    costs = [0, 200].map do |depth|
      error = error { deeper(depth) }
      before = GC.stat(:total_allocated_objects)
      @sites.whole?(error)
      GC.stat(:total_allocated_objects) - before
    end
    assert_operator costs.last - costs.first, :<=, 205
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
    [error { raise "one\ntwo" }, error { raise "" }, error { Integer("x") }, error { raise own, "x" }, error { raise own }].each do |one|
      assert_equal full(one), plain(one)
    end
  end

  private

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
