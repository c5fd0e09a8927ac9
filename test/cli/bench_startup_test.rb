# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/bench_command"
require "json"

# `frugal bench startup`: options and report. Tests do not assert times.
class BenchStartupTest < Frugal::TestCase
  include BenchCommand

  BENCH = "startup"

  def test_every_program_is_counted_and_timed
    result = bench("--quick", "--json", path("a.json"))

    assert result.success?, result
    assert_empty result.err, "stderr is empty if it is not a terminal"
    names = %w[nothing fileutils find glob pstore rake]
    document = JSON.parse(File.read(path("a.json")))
    assert_equal names, document["cases"].keys
    assert_equal names, result.out.scan(/^\| (\w+) +\|/).flatten
    assert_equal ["a.json"], Dir.children(tree), "the files of the programs are removed"
    skip "strace is not available" unless Cost::Strace.available?

    document["cases"].each_value { |one| assert_operator one["calls"].inject(:-).abs, :>, 30 }
  end

  def test_misuse
    assert_misuse(%w[--only zebra] => "unknown case: zebra (available: nothing, fileutils")
  end
end
