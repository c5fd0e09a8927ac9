# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/sample_recording"
require "frugal/profile/report/sarif"

# The findings as SARIF 2.1.0. The documents were checked by hand against the schema that they name.
class ProfileReportSARIFTest < Frugal::TestCase
  Report = Frugal::Profile::Report

  def test_the_findings_of_the_application
    run = document(SampleRecording.findings)["runs"].first
    assert_equal %w[redundant_call rescued_error], run["results"].map { |result| result["ruleId"] }
    first = run["results"].first
    assert_equal [0, "warning", { "text" => "20 of 35 calls repeat one whose answer was known. Do it once." }],
                 first.values_at("ruleIndex", "level", "message")
    assert_equal [{ "physicalLocation" => { "artifactLocation" => { "uri" => "lib/tasks.rb", "uriBaseId" => "%SRCROOT%" },
                                            "region" => { "startLine" => 22 } } }], first["locations"]
    assert_equal({ "count" => 20, "savedMicroseconds" => 80_000.0, "proof" => "proven", "failRate" => 0.25, "dropIn" => "rake" },
                 first["properties"])
  end

  def test_a_rule_for_each_kind
    findings = %i[tiny_reads rescued_error tiny_reads].each_with_index.map { |kind, n| finding("/app/a.rb:#{n + 1}", kind) }
    driver = document(findings)["runs"].first["tool"]["driver"]
    assert_equal ["frugal", Frugal::VERSION], driver.values_at("name", "semanticVersion")
    assert_equal({ "id" => "tiny_reads", "name" => "TinyReads", "shortDescription" => { "text" => "Tiny reads" },
                   "fullDescription" => { "text" => "A file is read a few bytes at a time, with one call each." },
                   "defaultConfiguration" => { "level" => "warning" } }, driver["rules"].first)
    assert_equal %w[tiny_reads rescued_error], driver["rules"].map { |rule| rule["id"] }
    assert_equal [0, 1, 0], document(findings)["runs"].first["results"].map { |result| result["ruleIndex"] }
  end

  def test_what_belongs_to_the_application
    own = %w[/app/a.rb /app/gems/a.rb /app/lib/bundle/a.rb /app/my-1/a.rb]
    others = %w[/usr/lib/a.rb /application/a.rb /app/vendor/bundle/ruby/3.1.0/gems/rake-13.0.6/lib/rake.rb /app/vendor/gems/x/a.rb
                /app/gems/rake-13.0.6/lib/rake.rb /app/.bundle/x/a.rb /app/x/bundler/gems/rails-1a2b/a.rb]
    assert_equal own.map { |file| file.delete_prefix("/app/") }, uris((own + others).map { |file| finding("#{file}:1") })
  end

  def test_a_uri_has_no_other_characters
    assert_equal ["a%20b/%C3%A9%25%23%3F%3A.rb", "caf%E9"], uris([finding("/app/a b/é%#?:.rb:1"), finding("#{SampleRecording::BINARY}:1")])
    uris([*SampleRecording::HOSTILE, SampleRecording::BINARY].map { |name| finding("/app/#{name}:1".b) }).each do |uri|
      assert_match(%r{\A[\w.~/%-]+\z}, uri)
    end
  end

  def test_braces_are_no_placeholder_and_a_line_is_positive
    finding = finding("/app/a.rb:0")
    finding.message = "{0} of {1}"
    result = document([finding])["runs"].first["results"].first
    assert_equal "{{0}} of {{1}}. Do it once.", result["message"]["text"]
    assert_equal 1, result["locations"].first.dig("physicalLocation", "region", "startLine")
  end

  private

  def finding(place, kind = :redundant_call) = SampleRecording.finding(kind, place)

  def uris(findings)
    document(findings)["runs"].first["results"].map do |result|
      result["locations"].first.dig("physicalLocation", "artifactLocation", "uri")
    end
  end

  def document(findings)
    JSON.parse(Report::SARIF.of(SampleRecording.rake, findings, origins: Frugal::Profile::Origins.new("/app"))).tap do |document|
      assert_equal ["2.1.0", Report::SARIF::SCHEMA], document.values_at("version", "$schema")
    end
  end
end
