# frozen_string_literal: true

# uses: doubles

require_relative "../test_helper"
require_relative "../support/cost_program"

# `assert_cost` in minitest and `cost` in RSpec's expectations, as a user's tests have them.
class MinitestRSpecTest < Frugal::TestCase
  include CostProgram

  RSPEC = Dir.glob("#{ROOT}/tmp/doubles/gems/{rspec-expectations,rspec-support,diff-lcs}-*/lib").map { |lib| "-I#{lib}" }

  def test_minitest
    report = minitest(<<~'RUBY')
      def test_value = assert_equal(5, assert_cost(syscalls: 1, exceptions: 0) { File.stat("."); 5 })
      def test_nothing = assert_nil(assert_cost(syscalls: 0, stats: 0, opens: 0, reads: 0, writes: 0, allocations: ..9) {})
      def test_range = assert_cost(stats: 1..2, exceptions: ..1) { File.stat("x") rescue 1 }
      def test_error = assert_raises(KeyError) { assert_cost(syscalls: 1) { raise KeyError } }
      def test_other_failure = assert_raises(Minitest::Assertion) { assert_cost(syscalls: 9) { flunk } }
    RUBY
    assert_match(/^5 runs, 8 assertions, 0 failures, 0 errors, 0 skips$/, report)
  end

  def test_the_message_of_minitest_has_the_calls_with_their_lines
    report = minitest(<<~'RUBY')
      def test_cost
        assert_cost(stats: 2, exceptions: 0, syscalls: ..1) do
          3.times { File.exist?("a\n") }
          File.mtime("b") rescue 0
        end
      end
    RUBY
    report = report.sub(" [#{tree}/", " [") # newer minitest shortens it
    assert_includes report, <<~TEXT
      Failure:
      UserTest#test_cost [program.rb:6]:
      stats: expected 2, got 4
        stat #{tree}/a\\n ENOENT   program.rb:7   3 times
        stat #{tree}/b ENOENT     program.rb:8
      exceptions: expected 0, got 1
        raise Errno::ENOENT   program.rb:8
      syscalls: expected ..1, got 4
        stat #{tree}/a\\n ENOENT   program.rb:7   3 times
        stat #{tree}/b ENOENT     program.rb:8
    TEXT
  end

  def test_a_long_list_of_calls_is_cut
    report = minitest("def test_cost = assert_cost(stats: 0) { 30.times { |number| File.exist?(number.to_s) } }")
    assert_includes report, "stats: expected 0, got 30\n"
    assert_equal [20, 1], [report.scan(/^  stat /).size, report.scan(/^  and 10 more$/).size]
  end

  def test_wrong_usage
    { "assert_cost(sycalls: 1) {}" => "unknown cost: sycalls (available: syscalls, stats, opens, reads, writes, exceptions, allocations)",
      "assert_cost {}" => "no limit (available: syscalls, ", "assert_cost(stats: 1)" => "assert_cost needs a block",
      "assert_cost(stats: -1) {}" => "stats: must be a whole number or a range (got -1)",
      'assert_cost(stats: "1") {}' => 'stats: must be a whole number or a range (got "1")' }.each do |code, message|
      assert_includes minitest("def test_cost = #{code}"), "Frugal::UsageError: #{message}"
    end
  end

  def test_rspec
    assert_equal <<~TEXT, rspec(<<~'RUBY')
      passed
      passed
      passed
      passed
      passed
      passed
      passed
      cost syscalls: 1, allocations: ..50
    TEXT
      try { expect { File.stat(".") }.to cost(syscalls: 1, exceptions: 0) }
      try { expect { File.stat(".") }.not_to cost(syscalls: 0) }
      try { expect { File.stat(".") }.to cost(stats: a_value < 3, opens: 0..) }
      list = []
      try { expect { File.stat("."); list << 1 }.to cost(stats: 1).and change(list, :size).by(1) }
      try { expect { File.stat("."); list << 1 }.to change(list, :size).by(1).and cost(stats: 1) }
      try { expect { File.stat("."); raise KeyError }.to raise_error(KeyError).and cost(stats: 1) }
      try { expect { File.stat("."); raise KeyError }.to cost(stats: 1).and raise_error(KeyError) }
      puts cost(syscalls: 1, allocations: ..50).description
    RUBY
  end

  def test_messages_of_rspec
    assert_equal <<~TEXT, rspec(<<~'RUBY')
      expected the block to cost syscalls: 0, exceptions: a value < 1

      syscalls: expected 0, got 1
        stat #{tree}/missing ENOENT   program.rb:13
      exceptions: expected a value < 1, got 1
        raise Errno::ENOENT   program.rb:13
      expected the block not to cost stats: 1.., writes: 0, got stats: 1, writes: 0
      unknown cost: stat (available: syscalls, stats, opens, reads, writes, exceptions, allocations)
    TEXT
      try { expect { File.mtime("missing") rescue 0 }.to cost(syscalls: 0, exceptions: a_value < 1) }
      try { expect { File.mtime(".") }.not_to cost(stats: 1.., writes: 0) }
      try { expect {}.to cost(stat: 1) }
    RUBY
  end

  # RSpec itself warns of it, too.
  def test_a_value_in_place_of_a_block
    skip "bin/setup --doubles" if RSPEC.size < 3
    result = program(<<~RUBY, *RSPEC)
      require "frugal/rspec"
      include RSpec::Matchers
      %i[to not_to].each do |way|
        expect(5).public_send(way, cost(stats: 1))
      rescue Frugal::UsageError => error
        puts error.message
      end
    RUBY
    assert_equal "cost needs a block: expect { … }.to cost stats: 1\n" * 2, result.out.force_encoding("UTF-8"), result
  end

  private

  # @param tests [String] methods of a class
  # @return [String] what minitest printed
  def minitest(tests)
    result = program(<<~RUBY)
      require "minitest/autorun"
      require "frugal/minitest"

      class UserTest < Minitest::Test
      #{tests.gsub(/^/, "  ")}
      end
    RUBY
    assert_empty result.err
    result.out
  end

  # @param expectations [String] from line 13 of the program on
  # @return [String] what they printed
  def rspec(expectations)
    skip "bin/setup --doubles" if RSPEC.size < 3
    output(<<~RUBY, *RSPEC)
      require "frugal/rspec"
      include RSpec::Matchers

      def try
        yield
        puts "passed"
      rescue RSpec::Expectations::ExpectationNotMetError, Frugal::UsageError => error
        puts error.message
      end
      Dir.children(".")


      #{expectations}
    RUBY
  end
end
