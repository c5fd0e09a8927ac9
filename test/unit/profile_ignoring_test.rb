# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/sample_recording"
require "frugal/profile"
require "frugal/profile/report/sarif"

# Findings that the author accepts, by an option or by a comment in the code.
class ProfileIgnoringTest < Frugal::TestCase
  Profile = Frugal::Profile

  def test_places_and_comments
    write("lib/a.rb", "File.exist?(a)\nFile.exist?(b) # frugal: ignore (each request)\nFile.exist?(c)\nx # frugal: ignored\n")
    write("lib/b.rb", "\xFF#frugal:ignore\n")
    write("gems/x-1.0/lib/x.rb", "1 # frugal: ignore\n")
    findings = mark(%w[lib/a.rb:1 lib/a.rb:2 lib/a.rb:3 lib/a.rb:4 lib/b.rb:1 lib/c.rb:1 lib/c.rb:2 gems/x-1.0/lib/x.rb:1], "lib/a.rb:1", "lib/c.rb")
    assert_equal ["--ignore", "comment", nil, nil, "comment", "--ignore", "--ignore", nil], findings.map(&:ignored)
    assert_empty @ignoring.unused
  end

  def test_ways_to_write_a_place
    write("lib/a.rb", "")
    ["lib/a.rb:7", "./lib/../lib/a.rb:7", path("lib/a.rb:7")].each do |place|
      assert_equal ["--ignore"], mark(%w[lib/a.rb:7], place).map(&:ignored), place
    end
    assert_equal [nil], mark(%w[lib/a.rb:7], "lib/a.rb:70", "a.rb:7", "lib/a").map(&:ignored)
    assert_equal %w[lib/a.rb:70 a.rb:7 lib/a], @ignoring.unused
  end

  def test_what_is_no_waste_is_not_ignored
    finding = SampleRecording.finding(:freshness_check, path("a.rb:1"))
    ignoring("a.rb").mark([finding])
    assert_nil finding.ignored
  end

  def test_reports
    findings = SampleRecording.findings
    findings[0].ignored, findings[1].ignored = Profile::Ignoring::OPTION, Profile::Ignoring::IN_CODE
    recording = SampleRecording.rake
    origins = Profile::Origins.new("/app")
    text = Profile::Report::Terminal.of(recording, findings, origins: origins)
    assert_includes text, "\nignored: 2 findings, 26 superfluous: tz 1.0: tz.rb:9 (--ignore), lib/tasks.rb:22 (comment)\n"
    assert text.start_with?("4 of 4 exceptions (100 %) were superfluous"), text
    assert_includes Profile::Report::HTML.of(recording, findings, origins: origins), "Ignored: tz 1.0: tz.rb:9 (--ignore), lib/tasks.rb:22 (comment)"
    json = Profile::Report::JSON.of(recording, findings)
    assert_equal ["--ignore", "comment", nil, nil], JSON.parse(json)["findings"].map { |finding| finding["ignored"] }
    results = JSON.parse(Profile::Report::SARIF.of(recording, findings, origins: origins)).dig("runs", 0, "results")
    assert_equal [nil, [{ "kind" => "inSource" }]], results.map { |result| result["suppressions"] }
    assert_empty Profile::Answers.of(findings.first(2)).findings
    assert_equal [[:rescued_error, 0, 4]], Profile::Diff.of(json.gsub(/"findings":.*/m, "\"findings\":[]}"), json).findings.map { |one| [one.name, one.before, one.after] }
  end

  private

  def ignoring(*places) = Profile::Ignoring.new(places, Profile::Origins.new(tree))

  def mark(found, *places)
    @ignoring = ignoring(*places)
    @ignoring.mark(found.map { |place| SampleRecording.finding(:redundant_call, path(place)) })
  end
end
