# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/constants"

# A constant of the program is looked up without running code of the program.
class ConstantsTest < Frugal::TestCase
  SCOPE = Module.new
  SCOPE.const_set(:INNER, :value)
  NOTHING = nil
  SCALAR = "no module"
  HIDDEN = Module.new.tap { |scope| scope.const_set(:SECRET, 1) }
  HIDDEN.send(:private_constant, :SECRET)
  MISSING = Module.new do
    def self.const_missing(name) = raise("const_missing(#{name}) was called")
  end
  OVERRIDING = Class.new do
    %i[autoload? const_defined? const_get].each { |name| define_singleton_method(name) { |*| raise "#{name} was called" } }
  end
  OVERRIDING::VALUE = 1
  class BARE < BasicObject
  end
  BARE.const_set(:VALUE, 2)

  def test_the_value_of_a_constant
    assert_same ::Comparable, loaded("Comparable")
    assert_same Process::Status, loaded("Process::Status")
    assert_equal :value, loaded("ConstantsTest::SCOPE::INNER")
    assert_nil loaded("ConstantsTest::NOTHING")
    assert_equal 2, loaded("ConstantsTest::BARE::VALUE")
  end

  def test_missing_constants
    assert_nil loaded("FrugalTestMissing")
    assert_nil loaded("FrugalTestMissing::Inner::Most")
    assert_nil loaded("Process::FrugalTestMissing")
  end

  def test_const_missing_is_not_called
    assert_nil loaded("ConstantsTest::MISSING::INNER")
    assert_nil loaded("ConstantsTest::MISSING::INNER::MOST")
  end

  def test_a_scope_that_is_not_a_module
    assert_nil loaded("ConstantsTest::SCALAR::INNER")
    assert_nil loaded("ConstantsTest::NOTHING::INNER")
  end

  def test_constants_of_object_are_not_found_in_other_scopes
    assert_nil loaded("Process::String")
    assert_nil loaded("ConstantsTest::Process")
  end

  def test_private_constants
    assert_equal 1, loaded("ConstantsTest::HIDDEN::SECRET")
  end

  def test_overridden_methods_of_the_scope_are_not_called
    assert_equal 1, loaded("ConstantsTest::OVERRIDING::VALUE")
  end

  def test_an_invalid_constant_name
    assert_raises(NameError) { loaded("lower") }
  end

  def test_a_deprecated_constant_without_a_warning
    [true, false].each do |on|
      assert_prints ":old\n#{on}\n", <<~RUBY
        Warning[:deprecated] = #{on}
        module Scope
          OLD = :old
          deprecate_constant :OLD
        end
        p Frugal::Constants.loaded("Scope::OLD"), Warning[:deprecated]
      RUBY
    end
  end

  def test_an_autoload_that_is_pending_stays_pending
    write "late.rb", "raise 'it was loaded'"
    assert_prints "nil\nnil\nnil\n:pending\n", <<~RUBY
      module Scope
        autoload :Late, #{late}
      end
      autoload :Late, #{late}
      p Frugal::Constants.loaded("Late"), Frugal::Constants.loaded("Late::Inner"), Frugal::Constants.loaded("Scope::Late")
      p Object.autoload?(:Late) && Scope.autoload?(:Late) ? :pending : :gone
    RUBY
  end

  # Where Kernel#require is written in Ruby, as in RubyGems, it runs before the autoloaded file.
  def test_an_autoload_that_this_thread_is_about_to_run
    write "late.rb", "module Late; end"
    assert_prints "nil\nLate\n", <<~RUBY
      module Watch
        def require(feature)
          p Frugal::Constants.loaded("Late") if feature.end_with?("late.rb")
          super
        end
      end
      Object.prepend(Watch)
      autoload :Late, #{late}
      Late.name
      p Frugal::Constants.loaded("Late")
    RUBY
  end

  def test_an_autoload_in_progress_in_this_thread
    write "late.rb", <<~RUBY
      p Frugal::Constants.loaded("Late")
      module Late
        p Frugal::Constants.loaded("Late"), Frugal::Constants.loaded("Late::LAST")
        LAST = 1
        p Frugal::Constants.loaded("Late::LAST")
      end
    RUBY
    assert_prints "nil\nLate\nnil\n1\n", "autoload :Late, #{late}\nLate.name"
  end

  def test_an_autoload_in_progress_in_another_thread
    write "late.rb", <<~RUBY
      ask = -> { Thread.new { p Frugal::Constants.loaded("Late") }.join }
      ask.call
      module Late
      end
      ask.call
    RUBY
    assert_prints "nil\nnil\nLate\n",
                  "autoload :Late, #{late}\nLate.name\nThread.new { p Frugal::Constants.loaded('Late') }.join"
  end

  def test_in_another_ractor
    skip "this Ruby has no Ractors" unless defined?(Ractor)

    value = Ractor.method_defined?(:take) ? "take" : "value"
    assert_prints "Comparable\nnil\n", <<~RUBY
      Warning[:experimental] = false
      puts Ractor.new { %w[Comparable Missing].map { |name| Frugal::Constants.loaded(name).inspect } }.#{value}
    RUBY
  end

  def test_cost
    skip "objects are counted in MRI" unless RUBY_ENGINE == "ruby"

    verbose, Warning[:deprecated] = Warning[:deprecated], false
    %w[Process::Status FrugalTestMissing::Inner].each do |name|
      counts = Array.new(3) do # the first call fills caches of the VM and of frugal
        before = GC.stat(:total_allocated_objects)
        loaded(name)
        GC.stat(:total_allocated_objects) - before
      end
      assert_equal 0, counts.last, name
    end
  ensure
    Warning[:deprecated] = verbose
  end

  def test_cost_in_system_calls
    assert_cost(syscalls: 0, exceptions: 0) { loaded("Process::Status") }
    assert_cost(syscalls: 0, exceptions: 0) { loaded("FrugalTestMissing::Inner") }
  end

  private

  def loaded(path) = Frugal::Constants.loaded(path)

  def late = path("late.rb").dump

  # Runs the program in a separate process; it must not print a warning.
  def assert_prints(expected, program)
    result = run_ruby("-rfrugal/constants", "-e", program)
    assert_equal [expected, ""], [result.out, result.err], result
  end
end
