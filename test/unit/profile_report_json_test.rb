# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/json_schema"
require_relative "../support/sample_recording"
require "frugal/profile/report/json"

# The JSON report, made from given events and findings, against its schema.
class ProfileReportJSONTest < Frugal::TestCase
  Report = Frugal::Profile::Report
  SCHEMA = JSONSchema.new(JSON.parse(File.read(File.join(ROOT, "docs/profile.schema.json"))))
  STAT = { "pid" => 100, "call" => "stat", "path" => "/app/src/0.c", "to" => nil, "errno" => nil,
           "file" => "/app/lib/tasks.rb", "line" => 22, "method" => "method_22", "count" => 3, "time_us" => 4.5 }.freeze

  def test_the_run
    document = document(SampleRecording.rake(status: ended("exit 3")))
    assert_equal %w[version command status recorder wall_us cpu_us counts processes calls exceptions findings undeclared], document.keys
    assert_equal [2, %w[rake -s], { "exit" => 3, "signal" => nil }], document.values_at("version", "command", "status")
    assert_equal [1_240_000, 1_100_000], document.values_at("wall_us", "cpu_us")
    assert_equal({ "calls" => 46, "stats" => 35, "opens" => 1, "reads" => 6, "writes" => 4, "exceptions" => 4 }, document["counts"])
    assert_equal [{ "pid" => 100, "ppid" => 1, "argv" => %w[rake -s], "ruby" => RUBY_VERSION, "dropped" => 0 },
                  { "pid" => 101, "ppid" => 100, "argv" => %w[cc -c 1.c], "ruby" => nil, "dropped" => 0 }], document["processes"]
  end

  def test_the_end_by_a_signal
    assert_equal({ "exit" => nil, "signal" => "SIGTERM" }, document(SampleRecording.rake(status: ended("kill -TERM $$")))["status"])
    assert_equal({ "exit" => nil, "signal" => nil }, document(SampleRecording.rake)["status"])
  end

  def test_equal_calls_are_added_up
    calls = document(SampleRecording.rake)["calls"]
    assert_equal 15, calls.size
    assert_equal 46, calls.sum { |row| row["count"] }
    assert_equal STAT, calls.first
    assert_includes calls, STAT.merge("path" => "/app/build/1.o", "errno" => "ENOENT", "count" => 5, "time_us" => 10.0)
    assert_equal({ "pid" => 101, "call" => "rename", "path" => "/app/build/1.tmp", "to" => "/app/build/1.o", "errno" => nil,
                   "file" => nil, "line" => nil, "method" => nil, "count" => 1, "time_us" => 2.0 }, calls.last)
    assert_empty calls.group_by { |row| row.except("count", "time_us") }.values.reject { |rows| rows.size == 1 }
  end

  # Each of the calls differs from the first in one respect only.
  def test_what_separates_rows
    recording = SampleRecording.build do |run|
      run.process(1)
      [[:stat, "/a", {}], [:lstat, "/a", {}], [:stat, "/b", {}], [:stat, "/a", { to: "/b" }], [:stat, "/a", { error: "EIO" }],
       [:stat, "/a", { at: "/x.rb:2" }], [:stat, nil, {}]].each do |name, path, details|
        run.call(name, path, at: "/x.rb:1", times: 2, **details)
      end
      run.process(2)
      run.call(:stat, "/a", at: "/x.rb:1", times: 2)
    end
    assert_equal [2] * 8, document(recording)["calls"].map { |row| row["count"] }
  end

  # Another stack with the same innermost line, and another image of the same process after exec.
  def test_what_does_not_separate_rows
    recording = SampleRecording.build do |run|
      2.times do
        run.process(1)
        ["/y.rb:1", "/y.rb:2"].each do |caller|
          run.call(:stat, "/a", at: ["/x.rb:1", caller])
          run.raise("KeyError", at: ["/x.rb:1", caller], depth: 2)
        end
      end
    end
    document = document(recording)
    assert_equal [[4], [4]], [document["calls"], document["exceptions"]].map { |rows| rows.map { |row| row["count"] } }
  end

  def test_times_have_one_decimal
    recording = SampleRecording.build do |run|
      run.process(1)
      [0, 40, 50, 999_960].each { |time| run.call(:stat, "/#{time}", duration: time) }
    end
    assert_equal [0.0, 0.0, 0.1, 1000.0], document(recording)["calls"].map { |row| row["time_us"] }
  end

  def test_exceptions
    assert_equal [{ "pid" => 100, "class" => "Errno::ENOENT", "file" => "/app/lib/tasks.rb", "line" => 23, "method" => "method_23", "depth" => 12,
                    "count" => 4 }],
                 document(SampleRecording.rake)["exceptions"]
    recording = SampleRecording.build do |run|
      run.process(1)
      [["A", "/a.rb:1", 1], ["B", "/a.rb:1", 1], ["A", "/a.rb:2", 1], ["A", nil, 1], ["A", "/a.rb:1", 2]].each do |name, at, depth|
        run.raise(name, at: at, depth: depth)
      end
    end
    assert_equal [1] * 5, document(recording)["exceptions"].map { |row| row["count"] }
  end

  def test_findings_with_the_freshness_checks
    findings = document(SampleRecording.rake, SampleRecording.findings)["findings"]
    assert_equal %w[tiny_reads redundant_call rescued_error freshness_check], findings.map { |finding| finding["kind"] }
    assert_equal({ "kind" => "redundant_call", "file" => "/app/lib/tasks.rb", "line" => 22, "method" => "method_22", "via" => [],
                   "callers" => [], "known_from" => nil,
                   "lines" => nil, "count" => 20, "fail_rate" => 0.25, "saved_us" => 80_000.0, "saved_range_us" => [70_000.0, 90_000.0],
                   "proof" => "proven", "ignored" => nil, "assumption" => nil, "fix" => "Do it once.",
                   "message" => "20 of 35 calls repeat one whose answer was known" }, findings[1])
  end

  def test_other_lines_of_a_finding
    known, *callers = %w[/app/k.rb:1 /app/c.rb:2 /app/d.rb:3].map { |place| SampleRecording.frame(place) }
    finding = SampleRecording.finding(:redundant_call, ["/gems/x-1.0/x.rb:7", "/usr/find.rb:8"], known_from: known, callers: callers)
    document = document(SampleRecording.rake, [finding])
    assert_equal [{ "file" => "/usr/find.rb", "line" => 8 }], document["findings"].first["via"]
    assert_equal({ "file" => "/app/k.rb", "line" => 1 }, document["findings"].first["known_from"])
    assert_equal [2, 3], document["findings"].first["callers"].map { |place| place["line"] }
    assert_empty SCHEMA.errors(document)
  end

  def test_groups
    recording = SampleRecording.rake(runs: { "GET /caf\xE9".b => 2 })
    finding = SampleRecording.finding(:redundant_call, "/a.rb:1", groups: { nil => 3, "GET /caf\xE9".b => 1 })
    document = document(recording, [finding])
    assert_equal [{ "group_base64" => "R0VUIC9jYWbp", "runs" => 2, **zeros }, { "group" => nil, "runs" => nil, **document["counts"] }],
                 document["groups"]
    assert_equal [{ "group" => nil, "count" => 3 }, { "group_base64" => "R0VUIC9jYWbp", "count" => 1 }], document["findings"].first["groups"]
    assert_empty SCHEMA.errors(document)
    refute_empty SCHEMA.errors(document.merge("groups" => [{}]))
  end

  def test_names_of_any_bytes
    document = document(SampleRecording.hostile, SampleRecording.hostile_findings)
    names = [*SampleRecording::HOSTILE.map { |name| "/app/#{name}" }, SampleRecording::BINARY]
    %w[path to file].each { |field| assert_equal names, document["calls"].map { |row| bytes(row, field) }, field }
    %w[class file].each { |field| assert_equal names, document["exceptions"].map { |row| bytes(row, field) }, field }
    words = ["ruby", *SampleRecording::HOSTILE, SampleRecording::BINARY]
    assert_equal words, document["command_base64"].map { |word| decoded(word) }
    assert_equal words, document["processes"].first["argv_base64"].map { |word| decoded(word) }
    assert_equal "L2FwcC9jYWbp", document["findings"].last["file_base64"]
    assert_equal "/app/caf\\xE9", document["findings"].last["message"]
  end

  def test_it_conforms_to_its_schema
    assert_empty SCHEMA.errors(document(SampleRecording.rake, SampleRecording.findings))
    assert_empty SCHEMA.errors(document(SampleRecording.hostile, SampleRecording.hostile_findings))
    assert_empty SCHEMA.errors(document(SampleRecording.build { |run| run.process(1) }))
  end

  def test_the_schema_rejects_invalid_documents
    valid = document(SampleRecording.rake)
    [valid.except("command"), valid.merge("command_base64" => []), valid.merge("version" => 3), valid.merge("more" => 1),
     valid.merge("calls" => [STAT.except("path")]), valid.merge("calls" => [STAT.merge("to_base64" => "")]),
     valid.merge("calls" => [STAT.merge("count" => 1.5)]), valid.merge("exceptions" => [{}])].each do |invalid|
      refute_empty SCHEMA.errors(invalid)
    end
  end

  def test_the_documentation_names_every_field_and_kind
    guide = File.read(File.join(ROOT, "docs/profile-json.md"))
    fields = JSON.generate(document(SampleRecording.rake(runs: { "GET /" => 1 }), SampleRecording.findings)).scan(/"([a-z_]+)":/).flatten.uniq
    assert_empty (fields + Frugal::Profile::Finding::KINDS.map(&:to_s)).reject { |name| guide.include?("`#{name}`") }
  end

  private

  def document(recording, findings = []) = JSON.parse(Report::JSON.of(recording, findings))

  def zeros = %w[calls stats opens reads writes exceptions].to_h { |name| [name, 0] }

  def ended(script)
    system("sh", "-c", script)
    $?
  end

  def bytes(row, field) = row[field] || decoded(row["#{field}_base64"])

  def decoded(text) = text.unpack1("m0").then { |bytes| Report::JSONMember.utf8(bytes) || bytes }
end
