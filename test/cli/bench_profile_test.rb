# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/bench_command"
require_relative "../support/web_gems"
require "json"

# `frugal bench profile`: options and report. Tests do not assert times.
class BenchProfileTest < Frugal::TestCase
  include BenchCommand

  BENCH = "profile"

  def test_overheads_a_report_and_a_prediction
    skip WebGems::MISSING unless WebGems.available?("tzinfo", "activesupport") && File.directory?("/usr/share/zoneinfo")

    result = bench("--quick", "--only", "rake,exist,store,report,zones,file-tasks", "--json", path("a.json"))

    assert result.success?, result
    assert_empty result.err, "stderr is empty if it is not a terminal"
    # The link to the recorder of a checkout whose path has spaces stays.
    assert_equal ["a.json"], Dir.children(tree).grep_v(/\Afrugal-recorder-/), "the files of the programs are removed"
    document = JSON.parse(File.read(path("a.json")))
    assert_overheads(document["overheads"])
    assert_operator document["report"]["calls"], :>, 100
    assert_equal %w[file-tasks zones], document["predictions"].keys
    assert_predictions(document["predictions"])
    assert_match(/^- predictions: target programs within ±20 % ≥6: \d not judged \(quick sizes\)$/, result.out)
  end

  def test_misuse
    assert_misuse(%w[--only zebra] => "unknown case: zebra (available: rake, rspec")
  end

  private

  def assert_overheads(overheads)
    assert_equal %w[rake store exist], overheads.keys
    sides = Cost::Strace.available? ? %w[plain recorder strace] : %w[plain recorder]
    overheads.each { |name, row| assert_equal [sides], row["rounds"].map { |round| round.keys.sort }, name }
  end

  # Of 20 tasks with four prerequisites, each is needed again, and asked for twice: the change asks once.
  def assert_predictions(predictions)
    removed = predictions.transform_values { |row| row["superfluous"].map { |stock, changed| stock - changed } }
    assert_operator removed["zones"].min, :>, 1000
    assert_equal 0, predictions["zones"]["superfluous"].sum(&:last)
    assert_operator removed["file-tasks"].min, :>=, 20 * (4 + 1)
  end
end
