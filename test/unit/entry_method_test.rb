# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/dropin"
require "frugal/dropin/replace"

# The fallback to upstream's method that `or_stock` generates.
class EntryMethodTest < Frugal::TestCase
  # A drop-in: what the methods below call is in a file of frugal.
  SAMPLE = Frugal::Dropin.const_set(:Sample, Module.new)
  SAMPLE::STOCK = Object.new.freeze
  SAMPLE.singleton_class.attr_accessor :answer
  SAMPLE.instance_eval("def ask(*) = answer == :fails ? nil.no_such_method : answer", "#{LIB}/frugal/dropin/sample.rb")

  # Returns what upstream's methods were called with.
  class Upstream
    def plain = ["stock", $!]
    def sure?(one, two = 2, *rest, key: nil, other: 5, **more) = ["stock", $!, one, two, rest, key, other, more]
    def block(list, &block) = ["stock", $!, list, block.call(1)]
    def yields(*) = ["stock", $!, yield(1)]
    def ignores(one, **) = ["stock", $!, one]
    def changed(list, verbose: nil) = ["stock", $!, list, verbose]
  end

  OURS = {
    plain: "def plain = or_stock(nil) { Sample.ask }",
    sure?: "def sure?(one, two = 3, *rest, key: nil, other: 6, **more) = or_stock(false) { Sample.ask(one) }",
    block: <<~'RUBY',
      def block(list, &block)
        value = or_stock { Sample.ask(list) }
        [value, yield(2)]
      end
    RUBY
    yields: <<~'RUBY',
      def yields(*list)
        # +1
        first, *others = or_stock(nil) { Sample.ask(list) }
        yield [first, others]
      end
    RUBY
    ignores: "def ignores(one, **) = or_stock(Sample::STOCK) { Sample.ask }",
    changed: <<~'RUBY'
      def changed(list, verbose: nil) # a comment
        list, verbose = [list], nil if verbose
        or_stock { Sample.ask }
        list
      end
    RUBY
  }.freeze

  def setup
    super
    @upstream = Class.new(Upstream)
    OURS.each { |name, code| Frugal::Dropin::Replace.method(@upstream, name, Frugal::Dropin::EntryMethod.new(SAMPLE, "#{code.chomp}\n")) }
  end

  def test_an_answer_is_returned
    answer(7)
    assert_equal 7, call(:plain)
    assert_equal 7, call(:sure?, 1)
    assert_equal([7, 20], call(:block, 1) { |one| one * 10 })
    assert_equal 1, call(:changed, 1)
    assert_equal [1], call(:changed, 1, verbose: true)
    answer([1, 2, 3])
    assert_equal([1, [2, 3]], call(:yields) { |one| one })
  end

  def test_a_failure_and_a_declined_call_are_upstreams_with_the_same_arguments
    { nil => :plain, false => :sure?, SAMPLE::STOCK => :ignores }.each do |declined, method|
      [:fails, declined].each do |way|
        answer(way)
        assert_equal ["stock", nil], call(method, *([1] unless method == :plain)).first(2), method
      end
    end
    answer(:fails)
    assert_equal ["stock", nil, 1, 3, [], nil, 6, {}], call(:sure?, 1)
    assert_equal ["stock", nil, 1, 2, [3, 4], 5, 6, { more: 7 }], call(:sure?, 1, 2, 3, 4, key: 5, more: 7)
    assert_equal(["stock", nil, 5, 10], call(:block, 5) { |one| one * 10 })
    assert_equal(["stock", nil, 10], call(:yields, 5) { |one| one * 10 })
    assert_equal ["stock", nil, 1], call(:ignores, 1, key: 2)
  end

  def test_another_value_is_not_a_declined_call
    { plain: false, sure?: nil, ignores: nil }.each do |method, value|
      answer(value)
      assert_same value, call(method, *([1] unless method == :plain)), method
    end
  end

  def test_upstream_gets_the_current_values_of_the_parameters
    [:fails, nil, false].each do |way|
      answer(way)
      assert_equal ["stock", nil, [1], nil], call(:changed, 1, verbose: true), way
    end
  end

  def test_an_error_of_the_program_is_not_a_failure
    answer(1)
    error = assert_raises(NameError) { call(:block, 1) { no_such_method } }
    assert_equal :no_such_method, error.name
  end

  private

  def answer(value) = SAMPLE.answer = value

  def call(...) = @upstream.new.public_send(...)
end
