# frozen_string_literal: true

require_relative "../test_helper"

# A test that hangs fails, and the other tests run. One that is slow is not ended.
class TimeLimitTest < Frugal::TestCase
  TESTS = <<~'RUBY'
    require ARGV.shift
    Hang.send(:remove_const, :QUIET)
    Hang::QUIET = 2
    class HangingTest < Frugal::TestCase
      def self.test_order = :alpha
      WORK = "time = -> { Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) }; 5.times { sleep 0.6; now = time.call; nil until time.call > now + 0.15 }"
      def test_a_hangs = sleep
      def test_b_rescues = loop { begin; sleep; rescue StandardError; nil; end }
      def test_c_waits_for_a_process_that_hangs = IO.popen("exec sleep 600") do |io|
        io.read
      ensure
        Process.kill(:KILL, io.pid)
      end
      def test_d_polls = loop { sleep 0.001 }
      def test_e_does_not_end = loop { nil }
      def test_f_is_slow = eval(WORK) # longer than the limit, but it does something
      def test_g_waits_for_a_process_that_is_slow = system(RUBY, "-e", WORK)
      def test_h_runs = assert(true)
    end
  RUBY
  HANG = %w[a_hangs b_rescues c_waits_for_a_process_that_hangs d_polls e_does_not_end].freeze

  def test_tests_that_hang_fail
    skip "each second counts as asleep here" unless Hang::LINUX

    result = run_command(RUBY, "-e", TESTS, "#{ROOT}/test/test_helper.rb", env: { "TEST_TIME_LIMIT" => "1" })
    assert_match(/^8 runs, 1 assertions, 0 failures, 5 errors, 0 skips$/, result.out, result)
    HANG.each { |name| assert_includes result.out, "TimeLimit::Exceeded: HangingTest#test_#{name} took more than 1 s" }
    assert_match(/-e:\d+:in .*sleep/, result.out)
    assert_includes result.out, "all of it has been asleep for 2 s"
    assert_includes result.out, "it has used 1 s of processor time"
  end
end
