# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/http"
require "frugal/http/expected"

class HTTPExpectedTest < Frugal::TestCase
  Expected = Frugal::HTTP::Expected

  module Marker; end

  class Base < StandardError; end

  class Middle < Base
    include Marker
  end

  class Leaf < Middle; end

  def test_names_and_classes
    expected = Expected.new("KeyError" => 404, :IOError => :service_unavailable, "::Errno::EACCES" => :forbidden, Base => 410)
    { KeyError => 404, IOError => 503, EOFError => 503, Errno::EACCES => 403, Base => 410, Leaf => 410, IndexError => false, RuntimeError => false }
      .each { |kind, status| assert_equal(status, expected.status(kind.new), kind) }
  end

  def test_the_nearest_ancestor_counts
    assert_equal 410, Expected.new(Base => 404, "#{self.class}::Middle" => 410).status(Leaf.new)
    assert_equal 409, Expected.new(Base => 404, Marker => 409).status(Leaf.new)
    assert_equal 404, Expected.new(Base => 404, Leaf => 409).status(Middle.new)
    refute Expected.new(Base => 404, Leaf => nil).status(Leaf.new)
  end

  ENDING = [SystemExit.new, Interrupt.new(""), SignalException.new("TERM"), NoMemoryError.new].freeze

  def test_exception_does_not_include_the_errors_that_end_a_process
    [{ "Exception" => 500 }, { Exception => 500 }, { "Object" => 500 }, { Kernel => 500 }].each do |statuses|
      expected = Expected.new(statuses)
      ENDING.each { |error| refute expected.status(error), "#{error.class} by #{statuses}" }
      [SystemStackError.new, NotImplementedError.new, LoadError.new, SecurityError.new, StandardError.new, Exception.new]
        .each { |error| assert_equal 500, expected.status(error), error.class }
    end
  end

  def test_errors_that_end_a_process_can_be_named
    names = { "Exception" => 500, "SystemExit" => 503, "SignalException" => 502, NoMemoryError => 507 }
    assert_equal [503, 502, 502, 507], ENDING.map { |error| Expected.new(names).status(error) }
    assert_equal [false, 501, false, false], ENDING.map { |error| Expected.new("Interrupt" => 501).status(error) }
    own = Class.new(SystemExit) { include Marker }
    refute Expected.new("Exception" => 500).status(own.new)
    assert_equal 418, Expected.new(Marker => 418).status(own.new)
    assert_equal 503, Expected.new("SystemExit" => 503).status(own.new)
  end

  # An unexpected error is not rescued, so nothing renders its backtrace.
  def test_as_a_rescue
    expected = Expected.new("KeyError" => 404)
    rescued = begin
      {}.fetch(:a)
    rescue expected => e
      e
    end
    assert_equal KeyError, rescued.class
    assert_raises(RuntimeError) do
      raise "other"
    rescue expected
      flunk
    end
  end

  def test_invalid_statuses_and_keys_raise_at_once
    [{ "A" => 200 }, { "A" => :nonsense }, { "A" => "404" }, { 1 => 404 }, { nil => 404 }].each do |statuses|
      assert_raises(ArgumentError, statuses) { Expected.new(statuses) }
    end
  end

  def test_a_class_that_hides_its_name
    hidden = Class.new(KeyError) { def self.name = raise("never asked") }
    assert_equal 404, Expected.new("KeyError" => 404).status(hidden.new)
  end

  def test_anonymous_classes_are_not_cached
    expected = Expected.new("KeyError" => 404)
    1_000.times { assert_equal 404, expected.status(Class.new(KeyError).new) }
    assert_equal 0, expected.size
    1_000.times { |i| expected.status(self.class.const_set(:"Named#{i}", Class.new(KeyError)).new) }
    assert_equal Expected::LIMIT, expected.size
    assert_equal 404, expected.status(Named999.new)
  ensure
    self.class.constants(false).grep(/\ANamed/).each { |name| self.class.send(:remove_const, name) }
  end

  def test_many_threads
    expected = Expected.new("StandardError" => 500, "KeyError" => 404)
    errors = Errno.constants.map { |name| Errno.const_get(name) }.uniq.first(50) + [KeyError, StopIteration, IOError, EOFError]
    answers = Array.new(8) { Thread.new { errors.shuffle.to_h { |kind| [kind, expected.status(kind.new)] } } }.map(&:value)
    assert_equal 1, answers.uniq.size
    answers.first.each { |kind, status| assert_equal(kind <= KeyError ? 404 : 500, status) }
  end

  def test_cost
    expected = Expected.new("KeyError" => 404)
    errors = [KeyError.new, IOError.new]
    assert_equal 0, allocations { errors.each { |error| expected.status(error) } }
  end
end
