# frozen_string_literal: true

require_relative "../test_helper"

# A test that hangs fails, and the other tests run.
class TimeLimitTest < Frugal::TestCase
  HANGS = <<~'RUBY'
    require ARGV.shift
    class HangingTest < Frugal::TestCase
      def self.test_order = :alpha
      def test_a_hangs = sleep
      def test_b_rescues = loop { begin; sleep; rescue StandardError; nil; end }
      def test_c_runs = assert(true)
    end
  RUBY

  def test_tests_that_hang_fail
    result = run_command(RUBY, "-e", HANGS, "#{ROOT}/test/test_helper.rb", env: { "TEST_TIME_LIMIT" => "1" })
    assert_match(/^3 runs, 1 assertions, 0 failures, 2 errors, 0 skips$/, result.out)
    %w[a_hangs b_rescues].each do |name|
      assert_includes result.out, "TimeLimit::Exceeded: HangingTest#test_#{name} took more than 1 s"
    end
    assert_match(/-e:4:in .*sleep/, result.out)
  end
end
