# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/bench_command"
require_relative "../../bench/real/results"
require "json"

# `frugal bench real`: options and report. Tests do not assert times.
class BenchRealTest < Frugal::TestCase
  include BenchCommand

  BENCH = "real"

  def test_every_small_program_is_counted_and_timed
    result = bench("--quick", "--json", path("a.json"))

    assert result.success?, result
    assert_empty result.err, "stderr is empty if it is not a terminal"
    rows = JSON.parse(File.read(path("a.json")))["rows"]
    names = %w[build glob find fileutils pstore]
    pairs = rows.map { |row| row.values_at("size", "name") }
    assert_equal [1, 10].product(names), pairs
    assert_equal names * 2, result.out.scan(/^\| (\w+) +\|/).flatten
    assert_equal ["a.json"], Dir.children(tree), "the files of the programs are removed"
    skip "strace is not available" unless Cost::Strace.available?

    rows.each { |row| assert_operator row["calls"].inject(:-).abs, :>, 0 }
  end

  def test_other_sizes
    result = bench("--quick", "--only", "find", "--sizes", "30,7,7", "--json", path("a.json"))
    assert result.success?, result
    assert_equal [7, 30], JSON.parse(File.read(path("a.json")))["rows"].map { |row| row["size"] }
  end

  def test_from_which_size_on_it_gains
    results = Frugal::RealBench::Results.new
    { 1 => 0.5, 10 => 1.2, 100 => 0.9, 1_000 => 1.1, 10_000 => 2.0 }.each do |size, ratio|
      results.add("build", size).cpu.concat([[ratio, 1.0]] * 3)
    end
    assert_equal 1_000, Frugal::RealBench::Results.gains_from(results.sized["build"])
    results.rows.last.cpu << [0.5, 1.0]
    assert_nil Frugal::RealBench::Results.gains_from(results.sized["build"])
  end

  def test_misuse
    assert_misuse(%w[--only zebra] => "unknown case: zebra (available: build, glob", %w[--sizes 1,x] => "invalid argument: --sizes x: a number, at least 1")
  end
end
