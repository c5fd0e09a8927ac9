# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/bench_command"
require_relative "../support/web_gems"
require "json"
require "rexml/document"

# `frugal bench errors`: options, report and exact counts. Tests do not assert times.
class BenchErrorsTest < Frugal::TestCase
  include BenchCommand

  BENCH = "errors"
  CONNECTIONS = 17 # 16 that wrk keeps alive, and one by which it checks the server
  PUMA_ENDS_AFTER = 999 # requests on one connection
  DEPTHS = [0, 50, 200].freeze
  RAISING = ["raise K, message", "raise K, message, []", "throw", "raise, and its backtrace", "raise, rescue, raise again",
             "File.open, ENOENT", "NoMethodError#message", "Frugal.halt", "Frugal.signal"].freeze

  SINATRA = %w[stock frugal].product(["page", "halt", "unknown route", "error block", "error block, 150 deeper", "NoMethodError"])
                            .map { |way| way.join(", ") }.freeze
  RAILS = [*%w[stock frugal].product(["page", "raise", "raise, 150 deep", "find", "unknown route", "NoMethodError", "head :not_found"]),
           *["frugal, route_check"].product(["page", "unknown route"])].map { |way| way.join(", ") }.freeze

  # Makes one request, and then prints a report in wrk's format with other numbers.
  FAKE_WRK = <<~'SHELL'
    #!/bin/bash
    if [ "$1" = -v ]; then echo "wrk fake"; exit 1; fi
    url=${!#}
    address=${url#http://127.0.0.1:}
    exec 3<>"/dev/tcp/127.0.0.1/${address%%/*}"
    printf 'GET /%s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n' "${address#*/}" >&3
    read -r _ <&3
    echo "  5 requests in 1.00s, 1.00MB read"
    echo "  Socket errors: connect 0, read 2, write 0, timeout 0"
    echo "  Non-2xx or 3xx responses: 5"
    echo "Requests/sec:      5.00"
  SHELL

  def setup
    skip WebGems::MISSING unless WebGems.available?("puma", "rack", "sinatra", "railties", "sqlite3")
  end

  def test_every_way_is_measured_on_the_wire_and_drawn
    result = bench("--quick", "--rounds", "1", "--only", "puma,sinatra,files,raising", "--json", path("a.json"), "--svg", path("a.svg"))

    assert result.success?, result
    assert_empty result.err, "stderr is empty if it is not a terminal"
    assert_match(/\A# .+; no target is judged \(quick sizes\)$/, result.out)
    refute_includes result.out, "dies"
    assert_equal %w[a.json a.svg], Dir.children(tree).sort, "the files of the servers are removed"
    document = JSON.parse(File.read(path("a.json")))
    assert_puma(rows(document, "puma"))
    assert_files(rows(document, "files"))
    assert_equal SINATRA, rows(document, "sinatra").keys
    assert_equal RAISING.product(DEPTHS), document["raising"].map { |one| one.values_at("way", "depth") }
    assert_wire(document) unless result.out.include?("wrk is not installed")
    assert_chart(document)
  end

  def test_without_wrk_only_measurements_in_process_are_reported
    result = bench("--quick", "--rounds", "1", "--only", "rails,vibe.d", "--json", path("a.json"),
                   env: { "PATH" => mkdir("path") })

    assert result.success?, result
    assert_match(/^- note: nothing was measured on the wire: wrk is not installed/, result.out)

    assert_match(/^- note: vibe\.d is not measured: dub is not installed$/, result.out)
    assert_match(/^- target socket errors ≤0: not measured$/, result.out)
    refute_includes result.out, "dies"
    rows = rows(JSON.parse(File.read(path("a.json"))), "rails")
    assert_equal RAILS, rows.keys
    rows.each_value { |row| assert_equal [1, []], [row["inside"].size, row["wire"]], row }
  end

  def test_a_drop_in_that_is_off_dies_and_errors_on_the_wire_are_counted
    write("path/wrk", FAKE_WRK)
    File.chmod(0o755, path("path/wrk"))
    result = bench("--quick", "--rounds", "1", "--only", "sinatra", "--json", path("a.json"),
                   env: { "FRUGAL_SINATRA" => "0", "PATH" => path("path") })

    assert result.success?, result
    assert_match(/^- note: sinatra, frugal dies: RuntimeError: the drop-in is off: .*FRUGAL_SINATRA/, result.out)
    assert_match(/^\| frugal, page +\| +dies: RuntimeError \|/, result.out)
    assert_match(/^- target frugal, page .+: not measured$/, result.out)
    assert_match(/^\| stock, page +\| +dies: 5 of 5 answers were errors \|/, result.out)
    rows = rows(JSON.parse(File.read(path("a.json"))), "sinatra").values.first(6)
    assert_equal [[5, 2, [5.0]]] * 6, rows.map { |row| row.values_at("requests", "socket_errors", "rates") }
    assert_match(/^- target socket errors ≤0: 12 /, result.out)
  end

  def test_keep_leaves_the_files_of_the_servers
    result = bench("--quick", "--rounds", "1", "--only", "files", "--dir", mkdir("a b"), "--keep")

    assert result.success?, result
    kept = result.err[/\Afrugal: kept (.+)$/, 1]
    assert_equal path("a b"), File.dirname(kept)
    assert_equal "here\n" * 20, File.read(File.join(kept, "files/Rack-Files/here.txt"))
  end

  def test_wrong_usage_is_reported_before_anything_runs
    assert_misuse(%w[--only zebra] => "unknown case: zebra (available: puma, rails")
  end

  private

  # @return [Hash{String => Hash}] by way
  def rows(document, name) = document["rows"].select { |row| row["case"] == name }.to_h { |row| [row["way"], row] }

  # A deep stack must not create more objects, except for a backtrace. These counts are exact.
  def assert_puma(rows)
    deep = ->(label) { DEPTHS.map { |depth| rows.fetch("#{label}, #{depth} deep")["objects"].round } }
    assert_equal 1, deep["404, returned"].uniq.size
    assert_operator deep["raise, rendered and logged"].last, :>, deep["raise, rendered and logged"].first + 200
    ["with frugal, 404, returned", "Frugal.halt", "Frugal.signal", "frugal's Responder, raise"].each do |label|
      assert_equal 1, deep[label].uniq.size, label
    end
  end

  def assert_files(rows)
    ways = ["File.open and rescue", "Rack::Files", "Frugal::Files"].product(%w[here missing])
    assert_equal ways.map { |way| way.join(", ") }, rows.keys
  end

  def assert_wire(document)
    document["rows"].reject { |row| row["case"] == "files" }.each do |row|
      assert_equal [1, 1, 1], row.values_at("inside", "wire", "rates").map(&:size), row
      assert_operator row["requests"], :>, 0
      assert_equal 0, row["socket_errors"], row
      assert_includes CONNECTIONS..(CONNECTIONS + (row["requests"] / PUMA_ENDS_AFTER)), row["connections"], row
    end
  end

  # A bar for each row and for each cell of the table of exceptions; a line for each way to raise.
  def assert_chart(document)
    chart = REXML::Document.new(File.read(path("a.svg")))
    texts = REXML::XPath.match(chart, "//*[local-name()='text']").map(&:text)
    assert_empty document["rows"].map { |row| row["way"] } - texts
    assert_equal RAISING.size, REXML::XPath.match(chart, "//*[@class='line']").size
    assert_operator REXML::XPath.match(chart, "//*[@class='bar']").size, :>=, document["rows"].size
  end
end
