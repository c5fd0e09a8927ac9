# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/sample_recording"
require "frugal/profile/report/html"

# The page as text; test/cli/profile_page_test.rb opens it in a browser.
class ProfileReportHTMLTest < Frugal::TestCase
  HTML = Frugal::Profile::Report::HTML

  def test_verdict_and_counts_need_no_script
    page = page(SampleRecording.rake, SampleRecording.findings)
    verdict = "26 of 46 file calls (57\u00A0%) and 4 of 4 exceptions (100\u00A0%) were superfluous: about 126\u00A0ms of 1.24\u00A0s of wall time"
    assert_includes page, "<h1>#{verdict}</h1>"
    assert_includes page, "<code>rake -s</code>"
    assert_includes page, "<div><dt>stats</dt><dd>35</dd></div>"
    assert_includes page, "<p class=\"under\">1.24 s wall time, 1.10 s CPU time</p>"
    assert_includes page(SampleRecording.rake(status: ended("exit 3"))), "exit status 3, 1.24 s wall time"
    assert_includes page(SampleRecording.rake(status: ended("kill -TERM $$"))), "killed by SIGTERM, 1.24 s wall time"
  end

  def test_notes_and_dropped_events
    recording = SampleRecording.build(notes: ["a < b"]) { |run| run.process(1, dropped: 3) }
    assert_includes page(recording), "<p class=\"note\">There was no room for 3 events: only the counts include them.</p>" \
                                     "<p class=\"note\">a &lt; b</p>"
  end

  # Only the script and the style of the page have the hashes that its policy names.
  def test_the_policy_allows_nothing_but_its_own_script_and_style
    page = page(SampleRecording.hostile, SampleRecording.hostile_findings)
    policy = page[/Content-Security-Policy" content="([^"]+)"/, 1]
    scripts = page.scan(%r{<script>(.*?)</script>}m).flatten
    styles = page.scan(%r{<style>(.*?)</style>}m).flatten
    assert_equal [1, 1], [scripts.size, styles.size]
    script, style = [scripts, styles].map { |texts| "'sha256-#{Digest::SHA256.base64digest(texts.first)}'" }
    assert_equal "default-src 'none'; script-src #{script}; style-src #{style}; base-uri 'none'; form-action 'none'", policy
  end

  def test_it_refers_to_nothing_outside
    page = page(SampleRecording.rake, SampleRecording.findings)
    assert_empty page.scan(/(?:src|href)\s*=\s*(?!"#)[^\s>]+/)
    assert_empty page.scan(/url\(|@import|\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon/)
    assert_equal ["http://www.w3.org/2000/svg"], page.scan(%r{https?://[^"' ]+}).uniq # the name of a vocabulary
  end

  def test_hostile_names_are_text
    page = page(SampleRecording.hostile, SampleRecording.hostile_findings)
    refute_match(/<img|<script>hostile|\e|\u202E/, page)
    assert_includes page, "&lt;img src=x onerror=alert(1)&gt;"
    paths = leaves(data(page)["paths"]).map { |leaf| leaf["n"] }
    assert_includes paths, "script><img src=x onerror=alert(1)>"
    assert_includes paths, "caf\\xE9"
  end

  def test_a_tree_of_the_files
    tree = data(page(SampleRecording.rake))["paths"]
    assert_equal [46, 5, 77.0], tree.values_at("c", "f", "t")
    assert_equal [["/app", 40], ["/usr/include", 6]], tree["k"].map { |child| child.values_at("n", "c") }
    app = tree["k"].first
    assert_equal [["src", 30, 0], ["build", 10, 5]], app["k"].map { |child| child.values_at("n", "c", "f") }
    assert_includes app["k"].last["k"], { "n" => "1.o", "c" => 5, "f" => 5, "t" => 10.0, "b" => { "stat" => 5 } }
  end

  def test_a_tree_of_the_lines
    tree = data(page(SampleRecording.rake))["sources"]
    assert_equal [["/app/lib", 39], ["outside of Ruby", 7]], tree["k"].map { |child| child.values_at("n", "c") }
    assert_equal [["tasks.rb", 35], ["log.rb", 4]], tree["k"].first["k"].map { |child| child.values_at("n", "c") }
    assert_equal [[":8", 3], [":7", 1]], tree["k"].first["k"].last["k"].map { |child| child.values_at("n", "c") }
  end

  # A folder that is itself asked for, a descriptor without a path, and one that is no file.
  def test_unusual_paths
    recording = SampleRecording.build do |run|
      run.process(1)
      ["/", "/app", "/app/a", nil, "pipe:[7]"].each { |path| run.call(:fstat, path) }
    end
    tree = data(page(recording))["paths"]
    assert_equal [["/app", 2], ["/", 1], ["descriptors without a path", 1], ["pipe:[7]", 1]], tree["k"].map { |child| child.values_at("n", "c") }
    assert_equal [[".", 1], ["a", 1]], tree["k"].first["k"].map { |child| child.values_at("n", "c") }.sort
  end

  def test_a_tree_keeps_the_largest_nodes
    rows = Array.new(100) { |n| row("/f#{n}", n + 1) }
    tree = HTML::Tree.new(limit: 11)
    rows.each { |one| tree.add(one.path, one) { ["f", one.path] } }
    folder = tree.to_h[:k].first
    assert_equal [5050, 10], [folder[:c], folder[:k].size]
    others = folder[:k].find { |node| node[:n] == "91 others" }
    assert_equal [(1..91).sum, (1..91).sum, {}], others.values_at(:c, :f, :b)
    assert_equal 5050, folder[:k].sum { |node| node[:c] }
  end

  def test_the_timeline
    timeline = data(page(SampleRecording.rake))["timeline"]
    assert_equal ["100 rake -s", "101 cc -c 1.c"], timeline["rows"].map { |row| row["label"] }
    first, second = timeline["rows"]
    assert_equal [39, 5, 7, 0], [first, second].flat_map { |row| [row["calls"].sum, row["failed"].sum] }
    assert_equal [4, {}], [first["raised"].each_value.sum(&:first), second["raised"]]
    assert_equal ["Errno::ENOENT"], first["raised"].each_value.map(&:last).uniq
    assert_equal 200, first["calls"].size
    assert_operator first["calls"].rindex(&:positive?), :<, second["calls"].index(&:positive?)
  end

  def test_many_processes_are_one_row
    recording = SampleRecording.build do |run|
      30.times do |pid|
        run.process(pid)
        run.call(:stat, "/a", times: pid + 1)
      end
    end
    rows = data(page(recording))["timeline"]["rows"]
    assert_equal 24, rows.size
    assert_equal (1..7).sum, rows.find { |row| row["label"] == "7 other processes" }["calls"].sum
  end

  def test_tables
    data = data(page(SampleRecording.rake, SampleRecording.findings))
    assert_equal ["redundant call", "rescued error", "tiny reads"], data["findings"].map { |finding| finding["kind"] }
    assert_equal [true, true, false], data["findings"].map { |finding| finding["worth"] }
    assert_equal({ "rows" => [["Errno::ENOENT", "lib/tasks.rb:23", 12, 4]], "more" => 0 }, data["exceptions"])
    assert_equal [[100, 1, "rake -s", RUBY_VERSION, 0.0, 39, 4, 0], [101, 100, "cc -c 1.c", "–", 440.0, 7, 0, 0]], data["processes"]["rows"]
  end

  # 1,000,000 calls would take a minute to build here; the page of ten times as many has no more than twice the size.
  def test_the_size_is_bounded
    sizes = [10_000, 100_000].map { |calls| page(SampleRecording.large(calls: calls, lines: 5000)).bytesize }
    assert_operator sizes.last, :<, 2 * sizes.first
    assert_operator sizes.last, :<, 1_000_000
    recording = SampleRecording.build do |run|
      1000.times do |n|
        run.process(n, argv: ["x" * 10_000])
        run.raise("E#{n}", depth: n)
      end
    end
    data = data(page(recording, Array.new(1000) { SampleRecording.finding(:tiny_reads, "/a:1", message: "y" * 10_000) }))
    assert_equal [500, 500, 500, 500], [data["processes"]["rows"].size, data["processes"]["more"], data["exceptions"]["rows"].size, data["findings"].size]
    assert_equal [500, 500], [data["processes"]["rows"].first[2].size, data["findings"].first["message"].size]
  end

  def test_nothing_recorded
    data = data(page(SampleRecording.build { |run| run.process(1) }))
    assert_equal [0, 0, []], [data["paths"]["c"], data["sources"]["c"], data["timeline"]["rows"]]
  end

  private

  def page(recording, findings = []) = HTML.of(recording, findings, origins: Frugal::Profile::Origins.new("/app"))

  def data(page) = JSON.parse(page[%r{<script type="application/json" id="data">(.*?)</script>}m, 1])

  def leaves(node) = node["k"] ? node["k"].flat_map { |child| leaves(child) } : [node]

  def row(path, calls) = Frugal::Profile::Report::CallRows::Row.new(nil, :stat, path, nil, "ENOENT", nil, calls, 0)

  def ended(script)
    system("sh", "-c", script)
    $?
  end
end
