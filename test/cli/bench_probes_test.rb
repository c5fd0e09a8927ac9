# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/bench_command"
require "json"
require "rexml/document"

# `frugal bench probes`: options, report and exact counts. Tests do not assert times.
class BenchProbesTest < Frugal::TestCase
  include BenchCommand

  BENCH = "probes"
  QUESTIONS = %w[entries read mtime].freeze
  ROWS = %w[present missing].product(["exception", "stat first", "probe"]).map { |row| row.join(", ") }.freeze

  def test_every_idiom_is_timed_and_drawn
    result = bench("--quick", "--rounds", "2", "--cold", "no", "--json", path("a.json"), "--svg", path("a.svg"))

    assert result.success?, result
    assert_empty result.err, "stderr is empty if it is not a terminal"
    assert_match(/\A# .+; no target is judged \(quick sizes\)$/, result.out)
    assert_match(/^- note: cold was not measured/, result.out)
    sections = result.out.split(/^## /).drop(1)
    assert_equal QUESTIONS, sections.map { |text| text[/\A\w+/] }
    sections.each { |text| assert_equal ROWS, text.scan(/^\| (\S.*?) +\| +[\d.]+ \|/).flatten }
    assert_equal %w[a.json a.svg], Dir.children(tree).sort, "the generated tree is removed"
    assert_document(JSON.parse(File.read(path("a.json"))))
  end

  def test_jruby_and_java
    result = bench("--quick", "--rounds", "1", "--cold", "no", jruby: true, env: { "FRUGAL_JVM" => "short" })
    assert result.success?, result
    skip "bin/setup --jruby" if result.out.include?("JRuby is not measured")

    sections = result.out.split(/^## /).drop(1 + QUESTIONS.size)
    rows = %w[present missing].product(["exception", "stat first", "probe", "Java, File", "Java, Files"]).map { |row| row.join(", ") }
    assert_equal([*QUESTIONS, "require"].map { |name| "#{name}, jruby" }, sections.map { |text| text[/\A\w+, jruby/] })
    sections.first(QUESTIONS.size).each do |text|
      assert_equal rows, text.scan(/^\| (\S.*?) +\| +[\d.]+ \|/).flatten
      assert_includes text, "- target missing, exceptions of a probe ≤0: 0 not judged"
    end
  end

  def test_files_can_be_cold_without_root
    result = bench("--quick", "--rounds", "1", "--cold-rounds", "1", "--cold", "files",
                   "--json", path("a.json"), "--svg", path("a.svg"))

    assert result.success?, result
    cold = JSON.parse(File.read(path("a.json")))["times"].select { |one| one["temperature"] == "cold" }
    expected = result.out.include?("keeps everything in memory") ? [] : [%w[read present]] * 3
    assert_equal expected, cold.map { |one| one.values_at("question", "presence") }
    assert_equal 54 + cold.size, bars(path("a.svg"))
  end

  # If root runs the tests, the command runs as another user.
  def test_only_root_can_drop_all_caches
    File.chmod(0o777, tree)
    nobody = Process.uid.zero? ? ["setpriv", "--reuid=65534", "--clear-groups", "--inh-caps=-all"] : []
    skip "only root can read this checkout" unless system(*nobody, "test", "-r", EXE)
    result = run_command(*nobody, RUBY, EXE, "bench", "probes", "--quick", "--cold", "drop",
                         env: { "TMPDIR" => tree, "RUBYOPT" => nil })

    assert_equal 1, result.exitstatus, result
    assert_match(/^frugal: bench probes: .+ is not writable/, result.err)
    assert_empty Dir.children(tree)
  end

  def test_wrong_usage_is_reported_before_anything_runs
    assert_misuse(%w[--cold zebra] => "zebra", %w[--cold-rounds 0] => "0: at least 1",
                  ["--svg", path("missing/a.svg")] => "missing: no such folder")
  end

  def test_stock_must_be_stock
    result = bench("--quick", env: { "RUBYOPT" => "-rfrugal/autorun", "RUBYLIB" => File.join(ROOT, "lib") })
    assert_equal 1, result.exitstatus, result
    assert_match(/^frugal: bench probes: RUBYOPT loads frugal's drop-ins/, result.err)
  end

  private

  # @return [Integer] number of bars in a chart, which must be well-formed XML
  def bars(file) = REXML::XPath.match(REXML::Document.new(File.read(file)), "//*[@class='bar']").size

  # Three questions, present or missing, three idioms, three depths.
  def assert_document(document)
    assert_equal 54, document["times"].size
    assert_equal 54, bars(path("a.svg"))
    document["times"].each { |one| assert_equal 2, one["seconds"].size, one }
    costs = document["costs"].to_h { |one| [one.values_at("question", "presence", "idiom"), one] }
    assert_equal 18, costs.size
    assert_exceptions(costs)
    assert_calls(costs) unless document["notes"].any? { |note| note.start_with?("system calls were not counted") }
  end

  def assert_exceptions(costs)
    rescued = Frugal::Native.engine_name == :c ? ["exception"] : %w[exception probe]
    costs.each do |(question, presence, idiom), one|
      expected = presence == "missing" && rescued.include?(idiom) ? 1 : 0
      assert_equal expected, one["exceptions"], [question, presence, idiom]
    end
  end

  def assert_calls(costs)
    assert_equal({ "stat" => 2 }, costs[["mtime", "present", "stat first"]]["calls"])
    QUESTIONS.each { |question| assert_equal({ "stat" => 1 }, costs[[question, "missing", "stat first"]]["calls"]) }
    assert_equal({ "open" => 1, "getdents" => 2, "close" => 1 }, costs[%w[entries present probe]]["calls"])
    assert_equal({ "open" => 1, "fstat" => 1, "read" => 1, "close" => 1 }, costs[%w[read present probe]]["calls"])
    assert_equal({ "stat" => 1 }, costs[%w[mtime present probe]]["calls"])
    assert_equal [{ "open" => 1 }, { "open" => 1 }, { "stat" => 1 }],
                 QUESTIONS.map { |question| costs[[question, "missing", "probe"]]["calls"] }
  end
end
