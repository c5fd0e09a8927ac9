# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/sample_recording"
require "frugal/profile/report/firefox"

# The events for profiler.firefox.com. The documents were checked by hand with the importer of that site.
class ProfileReportFirefoxTest < Frugal::TestCase
  Report = Frugal::Profile::Report
  # The columns of version 61 of the processed format.
  COLUMNS = {
    "stackTable" => %w[frame prefix],
    "frameTable" => %w[address inlineDepth category subcategory func nativeSymbol innerWindowID line column],
    "funcTable" => %w[name isJS relevantForJS resource source lineNumber columnNumber],
    "resourceTable" => %w[lib name host type], "nativeSymbols" => %w[libIndex address name functionSize],
    "sources" => %w[id filename startLine startColumn sourceMapURL]
  }.freeze

  def test_samples_are_weighted_by_time
    document = document(SampleRecording.rake)
    samples = document["threads"].first["samples"]
    assert_equal [39, "tracing-ms"], samples.values_at("length", "weightType")
    assert_equal [0.0015] * 30 + [0.002] * 9, samples["weight"]
    assert_equal 0.01, samples["time"].first
    assert_equal ["stat", "method_22:22 /app/lib/tasks.rb", "method_3:3 /app/Rakefile"], frames(document, samples["stack"].first)
    assert_equal ["stat (ENOENT)", "method_22:22 /app/lib/tasks.rb"], frames(document, samples["stack"][30])
  end

  def test_a_marker_for_each_call
    document = document(SampleRecording.rake)
    marker = marker(document, 0, 30)
    assert_equal ["stat", 1], marker.values_at("name", "phase")
    assert_in_delta 0.002, marker["endTime"] - marker["startTime"], 1e-9
    assert_equal({ "type" => "FileCall", "path" => "/app/build/1.o", "error" => "ENOENT" }, marker["data"].except("cause"))
    assert_equal ["method_22:22 /app/lib/tasks.rb"], frames(document, marker["data"]["cause"]["stack"])
    assert_equal({ "type" => "FileCall", "path" => "/app/build/1.tmp", "to" => "/app/build/1.o" }, marker(document, 1, 6)["data"])
  end

  def test_a_marker_for_each_exception
    document = document(SampleRecording.rake)
    marker = marker(document, 0, 39)
    assert_equal ["Errno::ENOENT", 0, nil], marker.values_at("name", "phase", "endTime")
    assert_equal({ "type" => "Exception", "class" => "Errno::ENOENT", "depth" => 12 }, marker["data"].except("cause"))
    assert_equal ["method_23:23 /app/lib/tasks.rb"], frames(document, marker["data"]["cause"]["stack"])
  end

  def test_a_thread_for_each_thread
    threads = document(SampleRecording.threads)["threads"]
    assert_equal [["ruby (1)", "1", 1, true], ["ruby (1), thread 7", "1", 7, false], ["ruby (1), thread 8", "1", 8, false], ["ruby (2)", "2", 2, true],
                  ["ruby (1)", "1, exec 1", 1, true]], threads.map { |thread| thread.values_at("name", "pid", "tid", "isMainThread") }
    assert_equal [0.0, 0.04], threads.values_at(0, 3).map { |thread| thread["processStartupTime"] }
  end

  # Each thread has a sample: exceptions without weight, where it makes no call.
  def test_a_thread_without_calls
    assert_equal [[0], 1], document(SampleRecording.threads)["threads"][2]["samples"].values_at("weight", "length")
  end

  def test_every_kind_of_marker_has_a_schema
    document = document(SampleRecording.rake)
    schemas = document["meta"]["markerSchema"].to_h { |schema| [schema["name"], schema["fields"].map { |field| field["key"] }] }
    document["threads"].flat_map { |thread| thread["markers"]["data"] }.each do |data|
      assert_empty data.keys - schemas.fetch(data["type"]) - %w[type cause]
    end
  end

  def test_times_of_the_calendar
    assert_equal 5, document(SampleRecording.rake, started_at: 5)["meta"]["startTime"]
    now = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
    record = Frugal::Profile::ProcessRecord.new(1, 0, ["ruby"], nil, now, 0, {})
    recording = Frugal::Profile::Recording.new(command: ["ruby"], processes: [record], calls: [], raises: [])
    assert_in_delta Time.now.to_f * 1000, document(recording)["meta"]["startTime"], 10_000
  end

  def test_names_of_any_bytes
    strings = document(SampleRecording.hostile)["shared"]["stringArray"]
    assert_includes strings, "/app/caf\\xE9"
    assert_includes strings, "/app/</script><img src=x onerror=alert(1)>"
  end

  private

  def document(recording, **options)
    JSON.parse(Report::Firefox.of(recording, **options)).tap do |document|
      assert_equal 61, document["meta"]["preprocessedProfileVersion"]
      assert_tables(document["shared"])
      document["threads"].each { |thread| assert_thread(thread, document["shared"]) }
    end
  end

  # Each column has as many rows as its table, and each index a row.
  def assert_tables(shared)
    COLUMNS.each do |name, columns|
      table = shared[name]
      assert_equal (columns + %w[length]).sort, table.keys.sort, name
      assert_equal [table["length"]], columns.map { |column| table[column].size }.uniq, name
    end
    assert_indices(shared["stackTable"]["frame"], shared["frameTable"]["length"])
    assert_indices(shared["frameTable"]["func"], shared["funcTable"]["length"])
    assert_indices(shared["frameTable"]["category"], Report::Firefox::CATEGORIES.size)
    assert_indices(shared["funcTable"]["name"] + shared["sources"]["filename"], shared["stringArray"].size)
    assert_indices(shared["funcTable"]["source"].compact, shared["sources"]["length"])
    # A stack comes after the one that it continues.
    shared["stackTable"]["prefix"].each_with_index { |prefix, index| assert_operator prefix || -1, :<, index }
  end

  def assert_thread(thread, shared)
    %w[stack time weight].each { |column| assert_equal thread["samples"]["length"], thread["samples"][column].size }
    assert_equal thread["samples"]["time"].sort, thread["samples"]["time"]
    assert_indices(thread["samples"]["stack"].compact, shared["stackTable"]["length"])
    markers = thread["markers"]
    %w[name startTime endTime phase category data].each { |column| assert_equal markers["length"], markers[column].size }
    assert_indices(markers["name"], shared["stringArray"].size)
  end

  def assert_indices(indices, size) = assert_empty(indices.grep_v(0...size))

  def marker(document, thread, index)
    table = document["threads"][thread]["markers"]
    table.except("length").transform_values { |column| column[index] }
         .merge("name" => document["shared"]["stringArray"][table["name"][index]])
  end

  def frames(document, stack)
    shared = document["shared"]
    frames = []
    while stack
      frame = shared["stackTable"]["frame"][stack]
      frames << function_name(shared, shared["frameTable"]["func"][frame], shared["frameTable"]["line"][frame])
      stack = shared["stackTable"]["prefix"][stack]
    end
    frames
  end

  def function_name(shared, function, line)
    source = shared["funcTable"]["source"][function]
    file = source && shared["stringArray"][shared["sources"]["filename"][source]]
    "#{shared["stringArray"][shared["funcTable"]["name"][function]]}#{":#{line} #{file}" if file}"
  end
end
