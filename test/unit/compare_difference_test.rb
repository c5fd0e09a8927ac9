# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/compare"
require "frugal/compare/report/refusal_text"

# What differs between two runs, whose doing it is, and how it is shown.
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

  def test_an_output_that_ends_early_and_a_line_without_end
    assert_equal [[["b\n"], []]], between(run_of("a\nb\n"), run_of("a\n")).map { |it| [it.before, it.after] }
    assert_equal [[["a\n"], ["a"]]], between(run_of("a\n"), run_of("a")).map { |it| [it.before, it.after] }
  end

  def test_all_that_differs_is_told
    assert_equal ["exit status", "stdout", "stderr"], between(run_of("a", "b", 0), run_of("c", "d", 1)).map(&:what)
    assert_equal ["exit status"], Compare::Difference.between(run_of("a", "b", 0), run_of("c", "d", 1), output: false).map(&:what)
  end

  def test_a_stream_without_lines_is_read_in_parts
    long = "x" * 200_000
    difference = between(run_of("#{long}a"), run_of("#{long}b")).first

    assert_equal 4, difference.line
    assert_operator difference.before.first.bytesize, :<=, Compare::Difference::LINE_BYTES
  end

  def test_a_difference_is_frugals_doing_when_stock_agrees_with_itself
    refusal = Compare::Witness.new.examine(pair("a", "b")) { [run_of("a"), run_of("a")] }

    assert_equal [:different, ["a"], ["b"]], [refusal.kind, refusal.differences.first.before, refusal.differences.first.after]
  end

  def test_and_the_commands_own_when_stock_does_not
    refusal = Compare::Witness.new.examine(pair("a", "b")) { [run_of("a"), run_of("c")] }

    assert_equal [:unrepeatable, ["c"]], [refusal.kind, refusal.differences.first.after]
  end

  def test_stock_that_changes_between_pairs_is_no_fault_of_frugals
    witness = Compare::Witness.new

    assert_nil witness.examine(pair("a", "a")) { flunk "alike: nothing to ask" }
    assert_equal :unrepeatable, witness.examine(pair("b", "b")) { flunk "plain enough" }.kind
  end

  def test_what_the_eye_would_miss_is_spelled_out
    lines = shown(["ends in a space \n", "bell\a\n", "caf\xE9\n", "é × …\n"], [])

    assert_includes lines, '  stock  | "ends in a space \n"'
    assert_includes lines, '  stock  | "bell\a\n"'
    assert_includes lines, '  stock  | "caf\xE9\n"'
    assert_includes lines, "  stock  | é × …"
    assert_includes lines, "  frugal | (ends here)"
  end

  def test_two_lines_that_differ_in_their_end_only_look_different
    lines = shown(["a\n"], ["a"])

    refute_equal lines.grep(/stock  \|/).first.sub("stock ", "frugal"), lines.grep(/frugal \|/).first
  end

  private

  def run_of(stdout, stderr = "", status = 0)
    number = Dir.children(tree).size
    Compare::Sample.new(status: Ended.new(status), stdout: write("#{number}.out", stdout), stderr: write("#{number}.err", stderr))
  end

  def pair(stock, frugal) = { stock: run_of(stock), frugal: run_of(frugal) }

  def between(before, after) = Compare::Difference.between(before, after)

  def shown(before, after)
    difference = Compare::Difference.new(what: "stdout", line: 1, before: before, after: after)
    Compare::Report::RefusalText.of(Compare::Result.new(command: ["x"], refusal: Compare::Refusal.new(:different, [difference])))
  end
end
