# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/json_schema"
require_relative "../support/sample_recording"
require "frugal/profile/report/speedscope"

# The stacks for speedscope. The documents were checked by hand against the schema that they name.
class ProfileReportSpeedscopeTest < Frugal::TestCase
  Report = Frugal::Profile::Report
  NUMBERS = { "type" => "array", "items" => { "type" => "number" } }.freeze
  # What the format requires.
  SCHEMA = JSONSchema.new(
    "type" => "object", "required" => %w[$schema shared profiles],
    "properties" => {
      "$schema" => { "const" => Report::Speedscope::SCHEMA },
      "shared" => { "required" => %w[frames],
                    "properties" => { "frames" => { "type" => "array", "items" => {
                      "required" => %w[name], "additionalProperties" => false,
                      "properties" => { "name" => { "type" => "string" }, "file" => { "type" => "string" }, "line" => { "type" => "number" } }
                    } } } },
      "profiles" => { "type" => "array", "items" => {
        "required" => %w[type name unit startValue endValue samples weights],
        "properties" => { "type" => { "const" => "sampled" }, "unit" => { "const" => "microseconds" }, "name" => { "type" => "string" },
                          "startValue" => { "type" => "number" }, "endValue" => { "type" => "number" },
                          "samples" => { "type" => "array", "items" => NUMBERS }, "weights" => NUMBERS }
      } }
    }
  )

  def test_samples_are_weighted_by_time
    profile = document(SampleRecording.rake)["profiles"].first
    assert_equal [["rake -s (100)", 0, 63.0], [45.0, 10.0, 2.0, 6.0]],
                 [profile.values_at("name", "startValue", "endValue"), profile["weights"]]
    assert_equal [%w[method_3 method_22 stat], ["method_22", "stat (ENOENT)"], %w[method_7 openat], %w[method_8 write]],
                 stacks(SampleRecording.rake).first
    assert_equal [%w[read], %w[rename]], stacks(SampleRecording.rake).last
  end

  def test_frames_are_shared
    frames = document(SampleRecording.rake)["shared"]["frames"]
    assert_equal frames.uniq, frames
    assert_includes frames, { "name" => "method_22", "file" => "/app/lib/tasks.rb", "line" => 22 }
  end

  # Only neighbours are merged: the profile keeps the order of time.
  def test_neighbours_with_the_same_stack_are_one_sample
    recording = SampleRecording.build do |run|
      run.process(1)
      %w[/a /b /a].each { |path| run.call(:stat, path, at: "/x.rb:1") }
      run.call(:open, "/a", at: "/x.rb:1")
      run.call(:stat, "/a", at: "/x.rb:1")
      run.call(:stat, "/a", at: "/x.rb:1", error: "ENOENT")
    end
    assert_equal [6.0, 2.0, 2.0, 2.0], document(recording)["profiles"].first["weights"]
  end

  def test_a_profile_for_each_thread_with_calls
    assert_equal ["ruby (1)", "ruby (1), thread 7", "ruby (2)", "ruby (1)"], document(SampleRecording.threads)["profiles"].map { |profile| profile["name"] }
  end

  def test_names_of_any_bytes
    names = document(SampleRecording.hostile)["shared"]["frames"].map { |frame| frame["file"] }
    assert_includes names, "/app/caf\\xE9"
    assert_includes names, "/app/</script><img src=x onerror=alert(1)>"
  end

  private

  def stacks(recording)
    document = document(recording)
    document["profiles"].map { |profile| profile["samples"].map { |sample| sample.map { |index| document["shared"]["frames"][index]["name"] } } }
  end

  def document(recording)
    JSON.parse(Report::Speedscope.of(recording)).tap do |document|
      assert_empty SCHEMA.errors(document)
      document["profiles"].each { |profile| assert_equal profile["samples"].size, profile["weights"].size }
    end
  end
end
