# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/compare"

class CompareStatisticsTest < Frugal::TestCase
  Statistics = Frugal::Compare::Statistics
  Readable = Frugal::Readable

  def test_median
    assert_equal 2.0, Statistics.median([3, 1, 2])
    assert_equal 2.5, Statistics.median([4, 1, 3, 2])
    assert_equal 7.0, Statistics.median([7])
  end

  # The numbers are from Thompson's tables for 95 %.
  def test_the_interval_of_the_median
    { 1 => [1, 1], 5 => [1, 5], 6 => [1, 6], 8 => [1, 8], 9 => [2, 8], 12 => [3, 10], 20 => [6, 15], 100 => [40, 61] }
      .each { |size, range| assert_equal range, Statistics.interval((1..size).to_a.shuffle), size }
  end

  def test_the_ratio_is_the_median_of_the_ratios_of_the_pairs
    ratio = Statistics.ratio([10.0, 20.0, 40.0], [5.0, 5.0, 40.0])

    assert_equal [2.0, 1.0, 4.0], [ratio.median, ratio.low, ratio.high]
    assert_equal [2.0, 4.0, 1.0], ratio.pairs
  end

  def test_a_range_that_includes_one_is_noise
    assert_equal :same, kind([1.5, 2.0, 0.9])
    assert_equal :same, kind([1.0, 1.2, 1.3])
    assert_equal :same, kind([1.004, 1.003, 1.002])
    assert_equal :faster, kind([1.02, 1.03, 1.01])
    assert_equal :slower, kind([0.98, 0.97, 0.99])
  end

  def test_one_bad_pair_of_many_does_not_make_noise
    assert_equal :faster, kind([2.0] * 11 + [0.5])
  end

  def test_ratios_of_zero_times
    assert_equal [1.0], Statistics.ratio([0.0], [0.0]).pairs
    assert_predicate Statistics.ratio([0.5], [0.0]).median, :finite?
  end

  def test_outliers_are_far_from_the_median_in_spread_and_in_percent
    assert_equal [9.0], Statistics.outliers([1.0, 1.01, 0.99, 1.0, 9.0])
    assert_empty Statistics.outliers([1.0, 1.0, 1.0, 1.05]), "five percent is no outlier, however equal the rest"
    assert_empty Statistics.outliers([1.0, 2.0, 3.0, 4.0, 5.0]), "a wide spread has no outliers"
  end

  def test_formatted_numbers
    assert_equal ["62.1 ms", "0.44 s", "2.70 s", "12.3 s"], [0.0621, 0.44, 2.7, 12.34].map { |time| Readable.seconds(time) }
    assert_equal ["0", "999", "1,000", "451,154", "12,345,678"],
                 [0, 999, 1000, 451_154, 12_345_678].map { |count| Readable.count(count) }
    assert_equal ["0.96×", "1.04×", "6.1×", "65.0×", "120×", "117,647×"],
                 [0.96, 1.04, 6.1, 65, 120, 117_647].map { |ratio| Readable.ratio(ratio) }
  end

  def test_a_command_is_quoted_for_a_shell
    command = ["ruby", "-e", "puts 'it''s'", "", "$HOME", "a;b", "x=1,2"]
    echoed = run_command("sh", "-c", "printf '%s\\n' #{Readable.command(command)}").out

    assert_equal command, echoed.lines(chomp: true)
    assert_equal "rake -s x=1,2", Readable.command(%w[rake -s x=1,2])
  end

  private

  def kind(ratios) = Statistics.ratio(ratios, [1.0] * ratios.size).kind
end
