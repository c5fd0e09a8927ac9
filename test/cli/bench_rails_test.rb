# frozen_string_literal: true

# uses: webs

require_relative "../test_helper"
require_relative "../support/bench_command"
require_relative "../support/web_gems"
require "json"

# `frugal bench rails`: options, report and exact counts. Tests do not assert times.
class BenchRailsTest < Frugal::TestCase
  include BenchCommand

  BENCH = "rails"

  def test_calls_of_each_side
    skip WebGems::MISSING unless WebGems.available?("railties", "actionview", "propshaft")
    skip_where_times_are_not_trusted
    result = bench("--quick", "--rounds", "1", "--only", "fresh", "--json", path("a.json"))

    assert result.success?, result
    assert_empty result.err, "stderr is empty if it is not a terminal"
    rows = JSON.parse(File.read(path("a.json")))["rows"]
    assert_equal %w[fresh].product(%w[stock frugal free]), rows.map { |row| row.values_at("case", "side") }
    assert_calls(*rows) if Cost::Strace.available?
    assert_equal ["a.json"], Dir.children(tree), "the applications are removed"
  end

  def test_misuse
    { %w[--only zebra] => "unknown case: zebra (available: fresh, large, huge", %w[--rounds 0] => "0: at least 1" }.each do |arguments, message|
      result = bench(*arguments)
      assert_equal 2, result.status.exitstatus
      assert_includes result.err, message
    end
  end

  private

  # Each watched path once, those of Propshaft twice, as stock's checker of these is asked twice in a request.
  def assert_calls(stock, ours, free)
    assert_operator ours["calls"].fetch("stat") - free["calls"].fetch("stat", 0), :<=, ours["watched"] * 2
    assert_equal ours["calls"].except("stat"), free["calls"].except("stat"), "no folder is listed"
    assert_operator stock["calls"].fetch("open"), :>, 1_000
    assert_equal stock["watched"], ours["watched"]
  end
end
