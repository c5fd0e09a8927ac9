# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/compare"
require "frugal/compare/report/refusal_text"

# What differs between two runs, what causes the difference, and how the report shows it.
class CompareDifferenceTest < Frugal::TestCase
  Compare = Frugal::Compare
  Ended = Struct.new(:exitstatus) { def signaled? = false }

  def test_equal_runs
    assert_empty between(run_of("a\nb"), run_of("a\nb"))
  end

  def test_the_first_lines_that_differ
    difference = between(run_of("a\nb\nc\nd\ne\n"), run_of("a\nx\nc\nd\ne\n")).first

    assert_equal ["stdout", 2, %W[b\n c\n d\n], %W[x\n c\n d\n]], difference.to_a
  end

  def test_an_output_that_ends_early_and_a_line_without_line_end
    assert_equal [[["b\n"], []]], between(run_of("a\nb\n"), run_of("a\n")).map { |one| [one.before, one.after] }
    assert_equal [[["a\n"], ["a"]]], between(run_of("a\n"), run_of("a")).map { |one| [one.before, one.after] }
  end

  def test_all_differences_are_reported
    assert_equal ["exit status", "stdout", "stderr"], between(run_of("a", "b", 0), run_of("c", "d", 1)).map(&:what)
    assert_equal ["exit status"], Compare::Difference.between(run_of("a", "b", 0), run_of("c", "d", 1), output: false).map(&:what)
  end

  def test_a_stream_without_line_ends_is_read_in_parts
    long = "x" * 200_000
    difference = between(run_of("#{long}a"), run_of("#{long}b")).first

    assert_equal 4, difference.line
    assert_operator difference.before.first.bytesize, :<=, Compare::Difference::LINE_BYTES
  end

  def test_frugal_causes_a_difference_if_two_runs_of_stock_are_equal
    refusal = Compare::PairCheck.new.refusal(pair("a", "b")) { [run_of("a"), run_of("a")] }

    assert_equal [:different, ["a"], ["b"]], [refusal.kind, refusal.differences.first.before, refusal.differences.first.after]
  end

  def test_the_command_causes_a_difference_if_two_runs_of_stock_differ
    refusal = Compare::PairCheck.new.refusal(pair("a", "b")) { [run_of("a"), run_of("c")] }

    assert_equal [:unrepeatable, ["c"]], [refusal.kind, refusal.differences.first.after]
  end

  def test_the_command_causes_a_difference_between_two_pairs
    check = Compare::PairCheck.new

    assert_nil check.refusal(pair("a", "a")) { flunk "no more runs of stock are needed: the pair is equal" }
    assert_equal :unrepeatable, check.refusal(pair("b", "b")) { flunk "no more runs of stock are needed: stock changed" }.kind
  end

  def test_invisible_characters_are_escaped
    lines = report_lines(["ends in a space \n", "bell\a\n", "caf\xE9\n", "é × …\n"], [])

    assert_includes lines, '  stock  | "ends in a space \n"'
    assert_includes lines, '  stock  | "bell\a\n"'
    assert_includes lines, '  stock  | "caf\xE9\n"'
    assert_includes lines, "  stock  | é × …"
    assert_includes lines, "  frugal | (ends here)"
  end

  def test_two_lines_that_differ_only_in_their_line_end_look_different
    lines = report_lines(["a\n"], ["a"])

    refute_equal lines.grep(/stock  \|/).first.sub("stock ", "frugal"), lines.grep(/frugal \|/).first
  end

  private

  def run_of(stdout, stderr = "", status = 0)
    number = Dir.children(tree).size
    Compare::Sample.new(status: Ended.new(status), stdout: write("#{number}.out", stdout), stderr: write("#{number}.err", stderr))
  end

  def pair(stock, frugal) = { stock: run_of(stock), frugal: run_of(frugal) }

  def between(before, after) = Compare::Difference.between(before, after)

  def report_lines(before, after)
    difference = Compare::Difference.new(what: "stdout", line: 1, before: before, after: after)
    Compare::Report::RefusalText.of(Compare::Result.new(command: ["x"], refusal: Compare::Refusal.new(:different, [difference])))
  end
end
