# frozen_string_literal: true

# needs: pstores

require_relative "../test_helper"
require_relative "../support/bench_command"
require "json"
require "rexml/document"

# `frugal bench pstore`: options, report and exact counts. Tests do not assert times.
class BenchPStoreTest < Frugal::TestCase
  include BenchCommand

  BENCH = "pstore"
  SMALL = %w[read-only unchanged changed ultra-safe durable].freeze
  GROWTH = %w[strings hashes shared].freeze
  STOCKS = ["pstore 0.1.1", "pstore 0.2.1", "pstore 0.3.0"].freeze
  OURS = "frugal, pstore 0.3.0"

  def setup
    missing = STOCKS.map { |name| name.tr(" ", "-") }
                    .reject { |gem| File.directory?(File.join(ROOT, "tmp/pstores/gems", gem)) }
    skip "#{missing.join(" and ")} is not in tmp/pstores: bin/setup --pstores" if missing.any?
  end

  def test_every_case_shows_every_rival_with_counts_and_targets
    result = bench("--quick", "--rounds", "2", "--json", path("a.json"), "--svg", path("a.svg"))

    assert result.success?, result
    assert_empty result.err, "stderr is empty if it is not a terminal"
    assert_match(/\A# changed: pstore 0\.3\.0 .+ → frugal, pstore 0\.3\.0 .+; no target is judged \(quick sizes\)$/, result.out)
    assert_equal SMALL + GROWTH, result.out.scan(/^## ([\w-]+): /).flatten
    refute_includes result.out, "dies"
    assert_equal %w[a.json a.svg], Dir.children(tree).sort, "the generated stores are removed"
    document = JSON.parse(File.read(path("a.json")))
    assert_small(rows(document, SMALL))
    assert_growth(rows(document, GROWTH))
    assert_chart(document)
  end

  def test_jruby = assert_jruby_rows("read-only")

  def test_a_rival_that_fails_is_shown_with_its_reason_and_without_strace_nothing_is_counted
    result = bench("--quick", "--rounds", "1", "--only", "read-only", env: { "FRUGAL_PSTORE" => "0", "PATH" => mkdir("path") })

    assert result.success?, result
    assert_match(/^\| frugal, pstore 0\.3\.0 +\| dies: RuntimeError \|/, result.out)
    assert_match(/^- note: frugal, pstore 0\.3\.0 dies: RuntimeError: the drop-in is \w+: .*FRUGAL_PSTORE/, result.out)
    assert_match(/^- target pstore 0\.3\.0 .+: not measured$/, result.out)
    assert_match(/^- note: system calls were not counted: strace is not installed$/, result.out)
    assert_match(/^\| pstore 0\.1\.1 .+ – \| +– \| +– \|$/, result.out)
  end

  def test_keep_leaves_the_stores
    result = bench("--quick", "--rounds", "1", "--only", "strings", "--roots", "10", "--dir", mkdir("a b"), "--keep")

    assert result.success?, result
    kept = result.err[/\Afrugal: kept (.+)$/, 1]
    assert_equal path("a b"), File.dirname(kept)
    store = Marshal.load(File.binread(File.join(kept, "stores/stock-0.3.0/strings-10")))
    assert_equal Array.new(10) { |index| format("root %07d", index) }, store.keys
    assert_equal 1, result.out.scan(/^\| \d+: pstore 0\.3\.0 /).size, "one size"
  end

  def test_wrong_usage_is_reported_before_anything_runs
    assert_misuse(%w[--only zebra] => "unknown case: zebra (available: read-only, unchanged",
                  %w[--roots 9] => "9: at least 10")
  end

  private

  def bench(*arguments, **options) = super(*arguments, *("--offline" unless arguments.include?("zebra")), **options)

  # @return [Hash{Array => Hash}] by case, roots, action, rival
  def rows(document, cases)
    document["rows"].select { |row| cases.include?(row["case"]) }
                    .to_h { |row| [row.values_at("case", "roots", "action", "rival"), row] }
  end

  def assert_small(rows)
    found = rows.keys.group_by(&:first).transform_values do |keys|
      keys.map(&:last).reject { |rival| rival.start_with?("Frugal::Store") }
    end
    %w[read-only unchanged changed].each { |name| assert_equal [OURS, *STOCKS], found[name] }
    assert_equal [OURS, *STOCKS].map { |rival| "#{rival}, ultra_safe" }, found["ultra-safe"]
    rows.each { |key, row| refute_empty row["wall"].compact, key }
    assert_calls(rows.transform_keys { |name, _, _, rival| [name, rival] }) if rows.values.first["calls"]
  end

  # The numbers of system calls are exact.
  def assert_calls(rows)
    # Ruby before 3.3 also calls getpid.
    total = ->(name, rival) { rows.fetch([name, rival])["calls"].except("getpid").values.sum }
    assert_equal [7, 10, 13], SMALL.first(3).map { |name| total[name, "pstore 0.3.0"] }
    assert_equal 18, total["ultra-safe", "pstore 0.3.0, ultra_safe"]
    STOCKS.first(2).each { |rival| assert_equal [5, 8, 11], SMALL.first(3).map { |name| total[name, rival] } }
    assert_equal({ "pwrite" => 1, "fdatasync" => 1 }, rows.fetch(["durable", "a dump, a write and a sync alone"])["calls"])
    assert_equal({ "stat" => 1 }, rows.fetch(["read-only", OURS])["calls"])
    assert_equal({ "flock" => 2, "stat" => 1 }, rows.fetch(["unchanged", OURS])["calls"])
    assert_equal({ "flock" => 2, "stat" => 1, "pwrite" => 1, "fstat" => 1 }, rows.fetch(["changed", OURS])["calls"])
  end

  def assert_growth(rows)
    expected = GROWTH.product([10, 100], %w[read new cold change resize], [OURS, "pstore 0.3.0"])
    assert_empty expected - rows.keys
    rows.each { |key, row| refute_empty row["wall"].compact, key }
  end

  # A bar for each row of the small store, a line for each rival and action of the growing stores.

  def assert_chart(document)
    chart = REXML::Document.new(File.read(path("a.svg")))
    assert_equal rows(document, SMALL).size, REXML::XPath.match(chart, "//*[@class='bar']").size
    lines = rows(document, GROWTH).keys.map { |name, _, action, rival| [name, action, rival] }.uniq
    assert_equal lines.size, REXML::XPath.match(chart, "//*[@class='line']").size
  end
end
