# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/bench_command"
require_relative "../support/redis_server"
require_relative "../support/web_gems"
require "json"
require "rexml/document"

# `frugal bench sessions`: options, report and exact counts. Tests do not assert times.
class BenchSessionsTest < Frugal::TestCase
  include BenchCommand

  BENCH = "sessions"
  VISITS = %w[unchanged changed].freeze
  PLACES = ["PStore", "frugal, files", "frugal, redis"].freeze
  RIVALS = { "store" => [*PLACES, "frugal, sqlite"], "growth" => PLACES, "rack" => [*PLACES, "Pool", "cookies"],
             "rails" => [*PLACES, "cookies"] }.freeze
  SIZES = { "store" => [nil], "growth" => [10, 20], "rack" => [10, 20], "rails" => [20] }.freeze
  CACHES = %w[FileStore MemoryStore RedisCacheStore].freeze

  def setup
    skip WebGems::MISSING unless WebGems.available?("puma", "rack-session", "railties", "redis-client", "redis", "sqlite3")
    skip "no Redis server is installed: bin/setup --redis" unless RedisServer.available?
  end

  def test_every_case_shows_every_rival_with_counts_and_targets
    result = bench("--quick", "--rounds", "1", "--json", path("a.json"), "--svg", path("a.svg"))

    assert result.success?, result
    assert_empty result.err, "stderr is empty if it is not a terminal"
    assert_match(/\A# .+; no target is judged \(quick sizes\)$/, result.out)
    assert_equal %w[store growth rack rails cache], result.out.scan(/^## ([\w-]+): /).flatten
    refute_includes result.out, "dies"
    assert_equal %w[a.json a.svg], Dir.children(tree).sort, "what was written is removed, and Redis' folder, too"
    document = JSON.parse(File.read(path("a.json")))
    assert_sessions(document)
    assert_cache(document, result)
    assert_costs(document["rows"]) if document["rows"].any? { |row| row.key?("calls") }
    assert_chart(document)
  end

  def test_without_programs_it_measures_what_is_here
    result = bench("--quick", "--rounds", "1", "--only", "store,rack", "--json", path("a.json"), env: { "PATH" => mkdir("path") })

    assert result.success?, result
    ["nothing was measured with Redis: no server is installed", "the applications were not measured: wrk is not installed",
     "system calls were not counted: strace is not installed"].each { |note| assert_match(/^- note: #{note}/, result.out) }
    rows = JSON.parse(File.read(path("a.json")))["rows"]
    assert_equal ["PStore", "frugal, files", "frugal, sqlite"], rows.map { |row| row["rival"] }.uniq
    assert_match(/^- target calls of frugal, files, changed ≤8: not measured$/, result.out)
  end

  def test_sessions_limits_the_sizes
    result = bench("--rounds", "1", "--only", "growth", "--sessions", "100", "--dir", mkdir("a b"), "--keep")

    assert result.success?, result
    kept = result.err[/\Afrugal: kept (.+)$/, 1]
    assert_equal path("a b"), File.dirname(kept)
    assert_equal 100, Dir.glob("#{kept}/places/frugalfiles-100/??/*").size
    assert_equal 100, Dir.glob("#{kept}/places/PStore-100/sess_*").size
    refute_match(/^\| [\d,]+0,000: /, result.out)
  end

  def test_wrong_usage_is_reported_before_anything_runs
    assert_misuse(%w[--only zebra] => "unknown case: zebra (available: store, growth",
                  %w[--sessions 99] => "99: at least 100")
  end

  private

  def assert_sessions(document)
    rows = document["rows"].group_by { |row| row["case"] }
    RIVALS.each do |name, rivals|
      visits = name == "growth" ? [*VISITS, *VISITS.map { |visit| "#{visit}, 100 active" }] : VISITS
      expected = SIZES[name].product(visits, rivals).sort_by(&:inspect)
      assert_equal expected, rows[name].map { |row| row.values_at("sessions", "action", "rival") }.sort_by(&:inspect), name
    end
    rows.values_at("store", "growth").flatten.each { |row| assert_operator row["wall"][0], :>, 0, row }
    rows.values_at("rack", "rails").flatten.each do |row|
      assert_operator row["cpu"][0], :>, 0, row
      assert_operator row["rates"][0], :>, 0, row
      assert_equal row["rival"].end_with?("redis"), row.key?("redis_cpu"), row
    end
  end

  # FrugalStore is measured where it is.
  def assert_cache(document, result)
    rivals = document["rows"].select { |row| row["case"] == "cache" }.map { |row| row["rival"] }.uniq
    if File.exist?("#{LIB}/active_support/cache/frugal_store.rb")
      assert_equal ["frugal", *CACHES], rivals
    else
      assert_equal CACHES, rivals
      assert_match(%r{^- note: cache, frugal is not measured: cannot load such file -- active_support/cache/frugal_store$}, result.out)
    end
  end

  def assert_costs(rows)
    calls = rows.to_h { |row| [row.values_at("case", "action", "rival"), row["calls"]] }
    assert_nil calls.fetch(["store", "changed", "frugal, redis"])
    assert_operator calls.fetch(%w[store unchanged PStore]).values.sum, :>, 9
    read = { "open" => 1, "fcntl" => 1, "fstat" => 1, "pread" => 1, "close" => 1 }
    assert_equal read, calls.fetch(["store", "unchanged", "frugal, files"])
    assert_equal({ **read, "pread" => 2, "flock" => 1, "pwrite" => 1 }, calls.fetch(["store", "changed", "frugal, files"]))
  end

  # Bars for the usual number of sessions, a line for each rival and action of the growing numbers.
  def assert_chart(document)
    chart = REXML::Document.new(File.read(path("a.svg")))
    rows = document["rows"]
    bars = rows.count { |row| row["case"] != "growth" && [nil, 20].include?(row["sessions"]) }
    assert_equal bars, REXML::XPath.match(chart, "//*[@class='bar']").size
    lines = rows.select { |row| %w[growth rack].include?(row["case"]) }.map { |row| row.values_at("case", "action", "rival") }.uniq
    assert_equal lines.size, REXML::XPath.match(chart, "//*[@class='line']").size
  end
end
