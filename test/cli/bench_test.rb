# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/bench_command"
require "json"

# `frugal bench rake` works from its options to its report; how fast anything is
# is no matter of a test.
class BenchTest < Frugal::TestCase
  include BenchCommand

  BENCH = "rake"
  CASES = %w[boot p10000 p50000 dirty clean dag chain chain-clean].freeze
  MICRO = %w[pathmap ext names glob].freeze

  def test_every_case_shows_every_rival_its_counts_and_its_targets
    result = bench("--quick", "--rounds", "1", "--offline", "--json", path("bench.json"))

    assert result.success?, result
    assert_empty result.err, "nothing on stderr when it is no terminal"
    report = result.out
    assert_match(/\A# .+: rake \S+ .+ → .+; quick sizes, so no target is judged$/, report)
    assert_equal CASES + MICRO, report.scan(/^## ([\w-]+): /).flatten
    sections(report).each { |name, text| assert_rivals(name, text) }
    assert_match(/^- target ≥65\.0×: \S+ not judged, these are quick sizes \(frugal, rake \S+\)$/, sections(report)["dag"])
    assert_counts(JSON.parse(File.read(path("bench.json"))))
    assert_equal %w[bench.json], Dir.children(tree), "the generated projects are gone"
  end

  def test_a_rival_that_dies_is_shown_with_what_it_died_of
    write("path/rake", "#!/bin/sh\n[ \"$1\" = --version ] && exec #{real_rake} \"$@\"\necho 'ZebraError: no' >&2\nexit 1\n")
    File.chmod(0o755, path("path/rake"))
    result = bench("--quick", "--rounds", "1", "--offline", "--only", "chain", env: { "PATH" => "#{path("path")}:#{ENV.fetch("PATH")}" })

    assert result.success?, result
    assert_match(/^\| rake \S+ +\| +dies: ZebraError \|/, result.out)
    assert_match(/^- target ≤2\.00 s in all: short: it dies of ZebraError/, result.out)
  end

  def test_the_projects_stay_where_they_are_asked_to
    result = bench("--quick", "--rounds", "1", "--offline", "--only", "boot", "--dir", mkdir("a b"), "--keep")

    assert result.success?, result
    kept = result.err[/\Afrugal: kept (.+)$/, 1]
    assert_equal path("a b"), File.dirname(kept)
    assert_equal "task :default\n", File.read(File.join(kept, "trees/empty/Rakefile"))
  end

  def test_wrong_usage_is_told_before_anything_runs
    assert_misuse(%w[--only zebra] => "no case is called zebra; there is: boot, p10000")
  end

  private

  def real_rake = ENV.fetch("PATH").split(":").map { |folder| File.join(folder, "rake") }.find { |file| File.executable?(file) }

  def sections(report) = report.split(/^## /).drop(1).to_h { |text| [text[/\A[\w-]+/], text] }

  def assert_rivals(name, text)
    labels = text.scan(/^\| (\S.*?) +\|/).flatten
    expected = [/\Arake \d/, /\Afrugal, rake \d/]
    expected += [/\Amake \d/] unless MICRO.include?(name)
    expected += [/\Athe files alone\z/] if name.include?("clean")
    expected.each { |label| assert labels.grep(label).any?, "#{name} lacks #{label.inspect}: #{labels}" }
    refute_includes text, "dies:"
  end

  # Files and what is asked about them: exact, so asserted.
  def assert_counts(document)
    frugal = document["cases"].transform_values { |one| one["rivals"].find { |rival| rival["accelerates"] } }
    assert_equal 0, frugal["clean"]["exceptions"] - frugal["boot"]["exceptions"]
    frugal.each { |name, rival| assert_equal 1, rival["wall"].size, name }
    return if document["notes"].any? { |note| note.start_with?("stat calls were not counted") }

    assert_operator frugal["p50000"]["stats"], :>=, 400
    assert_operator frugal["p50000"]["stats"], :<=, 404 + frugal["boot"]["stats"]
  end
end
