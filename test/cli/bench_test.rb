# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/bench_command"
require "json"
require "rexml/document"

# `frugal bench rake`: options, report and exact counts. Tests do not assert times.
class BenchTest < Frugal::TestCase
  include BenchCommand

  BENCH = "rake"
  CASES = %w[boot p10000 p50000 dirty clean dag chain chain-clean].freeze
  MICRO = %w[pathmap ext names patterns glob].freeze

  def test_every_case_shows_every_rival_with_counts_and_targets
    result = bench("--quick", "--rounds", "1", "--offline", "--json", path("bench.json"), "--svg", path("bench.svg"))

    assert result.success?, result
    assert_empty result.err, "stderr is empty if it is not a terminal"
    report = result.out
    assert_match(/\A# .+: rake \S+ .+ → .+; no target is judged \(quick sizes\)$/, report)
    assert_equal CASES + MICRO, report.scan(/^## ([\w-]+): /).flatten
    sections(report).each { |name, text| assert_rivals(name, text) }
    assert_match(/^- target ≥65\.0×: \S+ not judged \(quick sizes\) \(frugal, rake \S+\)$/, sections(report)["dag"])
    assert_counts(JSON.parse(File.read(path("bench.json"))))
    bars = REXML::XPath.match(REXML::Document.new(File.read(path("bench.svg"))), "//*[@class='bar']")
    assert_operator bars.size, :>=, 2 * (CASES + MICRO - ["boot"]).size
    assert_equal %w[bench.json bench.svg], Dir.children(tree).sort, "the generated projects are removed"
  end

  def test_jruby_with_the_processor_time_of_each_phase
    section = sections(assert_jruby_rows("boot")).fetch("boot")
    table = section[/^\| processor time by phase .*?\n\n/m].lines(chomp: true)
    assert_match(/\| +boot \| +Rakefile \| +build \| +after boot \| +in all \|/, table.first)
    times = table[2...-1].map { |line| line.split("|").drop(2).grep(/\d/).size }
    assert_equal [5, 5], times, table
  end

  def test_a_rival_that_fails_is_shown_with_its_reason
    write("path/rake", "#!/bin/sh\n[ \"$1\" = --version ] && exec #{real_rake} \"$@\"\necho 'ZebraError: no' >&2\nexit 1\n")
    File.chmod(0o755, path("path/rake"))
    result = bench("--quick", "--rounds", "1", "--offline", "--only", "chain",
                   env: { "PATH" => "#{path("path")}:#{ENV.fetch("PATH")}" })

    assert result.success?, result
    assert_match(/^\| rake \S+ +\| +dies: ZebraError \|/, result.out)
    assert_match(/^- target ≤2\.00 s in all: short: it dies of ZebraError/, result.out)
  end

  def test_keep_leaves_the_projects
    result = bench("--quick", "--rounds", "1", "--offline", "--only", "boot", "--dir", mkdir("a b"), "--keep")

    assert result.success?, result
    kept = result.err[/\Afrugal: kept (.+)$/, 1]
    assert_equal path("a b"), File.dirname(kept)
    assert_equal ["task :default\n"], File.readlines(File.join(kept, "trees/empty/Rakefile")).grep_v(/RakePhaseClock/)
  end

  def test_wrong_usage_is_reported_before_anything_runs
    assert_misuse(%w[--only zebra] => "unknown case: zebra (available: boot, p10000")
  end

  private

  def real_rake
    ENV.fetch("PATH").split(":").map { |folder| File.join(folder, "rake") }.find { |file| File.executable?(file) }
  end

  def sections(report) = report.split(/^## /).drop(1).to_h { |text| [text[/\A[\w-]+/], text] }

  def assert_rivals(name, text)
    labels = text.scan(/^\| (\S.*?) +\|/).flatten
    expected = [/\Arake \d/, /\Afrugal, rake \d/]
    expected += [/\Amake \d/] unless MICRO.include?(name)
    expected += [/\Athe files alone\z/] if name.include?("clean")
    expected.each { |label| assert labels.grep(label).any?, "#{name} lacks #{label.inspect}: #{labels}" }
    refute_includes text, "dies:"
  end

  # The numbers of files and of stat calls are exact.
  def assert_counts(document)
    frugal = document["cases"].transform_values { |one| one["rivals"].find { |rival| rival["accelerates"] } }
    assert_equal 0, frugal["clean"]["exceptions"] - frugal["boot"]["exceptions"]
    frugal.each { |name, rival| assert_equal 1, rival["wall"].size, name }
    return if document["notes"].any? { |note| note.start_with?("stat calls were not counted") }

    assert_operator frugal["p50000"]["stats"], :>=, 400
    assert_operator frugal["p50000"]["stats"], :<=, 404 + frugal["boot"]["stats"]
  end
end
