# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/bench_command"
require "json"
require "rexml/document"

# `frugal bench links`: options, report, and the number of paths that each rival lists. Tests do
# not assert times.
class BenchLinksTest < Frugal::TestCase
  include BenchCommand

  BENCH = "links"
  CASES = %w[count strings c-files stat chain refresh run-find run-glob plain directory-links file-links mesh cycles].freeze
  RUBY_ONLY = ["Dir.glob", "Find.find"].freeze # do not follow links
  GRID = 4 + (4 * 3) + (4 * 3 * 10)
  GRID_C = 4 * 3 * 2 # two of ten endings

  def test_every_case_shows_how_many_paths_every_rival_lists
    result = bench("--quick", "--rounds", "1", "--json", path("a.json"), "--svg", path("a.svg"))

    assert result.success?, result
    assert_empty result.err, "stderr is empty if it is not a terminal"
    assert_match(/\A# .+; no target is judged \(quick sizes\)$/, result.out)
    assert_equal CASES, result.out.scan(/^## ([\w-]+): /).flatten
    assert_equal %w[a.json a.svg], Dir.children(tree).sort, "the generated trees are removed"
    document = JSON.parse(File.read(path("a.json")))
    assert_equal [16, 9], document["targets"].partition { |one| !one["target"].include?("JRuby") }.map(&:size)
    assert_paths(paths(document))
    assert_chart(document)
  end

  def test_each_case_can_run_alone
    CASES.each do |name|
      result = bench("--quick", "--rounds", "1", "--only", name, env: { "PATH" => only_find })
      assert result.success?, result
      assert_equal [name], result.out.scan(/^## ([\w-]+): /).flatten
    end
  end

  def test_jruby
    result = bench("--quick", "--rounds", "1", "--only", "count,mesh", jruby: true, env: { "FRUGAL_JVM" => "short" })
    assert result.success?, result
    skip "bin/setup --jruby" if result.out.include?("JRuby is not measured")

    paths = result.out.scan(/^\| (JRuby, .*?) +\|.* ([\d,]+) \|$/).to_h
    assert_equal({ "JRuby, frugal, count" => GRID, "JRuby, Dir.glob" => GRID, "JRuby, frugal, :paths" => ways,
                   "JRuby, frugal, :once" => (5 * 3 * 2) + (4 * 3 * 3) }, paths.transform_values { |number| number.delete(",").to_i }, result)
  end

  def test_missing_rivals_are_named
    result = bench("--quick", "--rounds", "1", "--only", "plain", env: { "PATH" => only_find })

    assert result.success?, result
    ["fd (apt-get install fd-find)", "bfs (apt-get install bfs)", "java is not installed", "JRuby is not measured"].each do |text|
      assert_includes result.out, text
    end
    assert_match(/^\| find -L +\| +[\d.]+ \|/, result.out)
    refute_match(/^\| (?:fd|bfs|Java)/, result.out)
  end

  def test_a_rival_that_fails_is_shown_with_its_reason
    write("path/java", "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\nread first; echo 1 1000; while read root; do echo ZebraException; done\n")
    File.chmod(0o755, path("path/java"))
    result = bench("--quick", "--rounds", "1", "--only", "cycles", "--svg", path("a.svg"),
                   env: { "PATH" => "#{path("path")}:#{ENV.fetch("PATH")}" })

    assert result.success?, result
    assert_match(/^\| Java, Files\.walk +\| dies: ZebraException \|/, result.out)
    texts = REXML::XPath.match(REXML::Document.new(File.read(path("a.svg"))), "//*[local-name()='text']").map(&:text)
    assert_includes texts, "dies: ZebraException"
  end

  def test_keep_leaves_the_trees
    result = bench("--quick", "--rounds", "1", "--only", "mesh", "--dir", mkdir("a b"), "--keep")

    assert result.success?, result
    kept = result.err[/\Afrugal: kept (.+)$/, 1]
    assert_equal path("a b"), File.dirname(kept)
    assert_equal "../l1d2", File.readlink(File.join(kept, "mesh/l0d0/to2"))
  end

  def test_wrong_usage_is_reported_before_anything_runs
    assert_misuse(%w[--only zebra] => "unknown case: zebra (available: count, strings")
  end

  private

  # @return [String] a folder for PATH that contains only find
  def only_find
    folder = mkdir("path")
    File.symlink(which("find"), File.join(folder, "find")) unless File.exist?(File.join(folder, "find"))
    folder
  end

  def which(name) = ENV.fetch("PATH").split(":").map { |folder| File.join(folder, name) }.find { |file| File.executable?(file) }

  # @return [Hash{String => Hash{String => Integer, nil}}] case → rival → paths
  def paths(document)
    document["cases"].transform_values { |one| one["rivals"].to_h { |rival| [rival["rival"], rival["paths"]] } }
  end

  # The numbers of paths are exact.
  def assert_paths(paths)
    all_the_same(paths, "count" => GRID, "strings" => GRID, "stat" => GRID, "c-files" => GRID_C, "chain" => 20 + (20 * 2) - 1,
                        "refresh" => GRID, "run-find" => GRID, "run-glob" => GRID, "plain" => GRID)
    %w[directory-links file-links].each { |name| assert_equal [GRID], paths[name].except(*RUBY_ONLY).values.uniq, name }
    entries = (5 * 3 * 2) + (4 * 3 * 3)
    assert_equal entries, paths["mesh"]["frugal, :once"]
    assert_equal [ways], paths["mesh"].except(*RUBY_ONLY).reject { |rival, _| rival.include?(":once") }.values.uniq
    assert_equal [GRID], paths["cycles"].select { |rival, _| rival.start_with?("frugal", "Ruby") }.values.uniq
    assert_equal GRID - (4 * 3 * 2), paths["cycles"]["find -L"]
  end

  def all_the_same(paths, expected)
    expected.each { |name, number| assert_equal [number], paths[name].values.uniq, name }
  end

  # The number of paths of the mesh: each of three directories of a layer, all directories to which it leads, and a
  # file in each.
  def ways = (1..5).sum { |layers| 3 * (0...layers).sum { |layer| 3**layer } } * 2

  # A rival that failed has no bar: Java fails because of cycles.
  def assert_chart(document)
    alive = document["cases"].values.flat_map { |one| one["rivals"] }.reject { |rival| rival["dies"] }
    alive.each { |rival| assert_equal 1, rival["wall"].size, rival }
    chart = REXML::Document.new(File.read(path("a.svg")))
    assert_equal alive.size, REXML::XPath.match(chart, "//*[@class='bar']").size
  end
end
