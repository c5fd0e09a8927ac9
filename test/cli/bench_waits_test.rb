# frozen_string_literal: true

# uses: webs, redis

require_relative "../test_helper"
require_relative "../support/bench_command"
require "json"

# `frugal bench waits`: options and report. Tests do not assert times.
class BenchWaitsTest < Frugal::TestCase
  include BenchCommand

  BENCH = "waits"

  def test_no_change_is_lost
    result = bench("--quick", "--only", "files,store", "--json", path("a.json"))

    assert result.success?, result
    assert_empty result.err, "stderr is empty if it is not a terminal"
    cases = JSON.parse(File.read(path("a.json")))["cases"]
    assert_includes cases.keys, "files"
    cases.each_value do |one|
      assert_equal [0, {}], one.values_at("lost", "events")
      assert_equal one["waits"].size, one["turns"].values.sum
      assert_operator one["turns"].values.sum, :>=, 20
    end
    assert_equal ["a.json"], Dir.children(tree), "the places are removed"
  end

  def test_reads_of_a_cache
    result = bench("--quick", "--only", "reads", "--json", path("a.json"))
    assert result.success?, result
    document = JSON.parse(File.read(path("a.json")))
    skip "ActiveSupport is not in tmp/webs" if document["notes"].grep(/tmp.webs/).any?
    assert_equal %w[FileStore FrugalStore], document["reads"].keys
    document["reads"].each_value { |found| assert_operator found["reads"], :>, 0 }
  end

  def test_misuse
    { %w[--only zebra] => "unknown case: zebra (available: files, sqlite", %w[--busy -1] => "-1: at least 0" }.each do |arguments, message|
      result = bench(*arguments)
      assert_equal 2, result.status.exitstatus
      assert_includes result.err, message
    end
  end
end
