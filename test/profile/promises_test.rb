# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/profile"

# A finding that names the drop-in for FileUtils: with it, the same program makes so many calls and exceptions less.
# One that names none: the drop-in would have changed nothing.
class ProfilePromisesTest < Frugal::TestCase
  # Enabled at once: `frugal run` leaves the first calls of a program to stock.
  ENABLED = ["-I#{LIB}", "-rfrugal/fileutils"].freeze
  COSTS = Frugal::Profile::CostModel.new(
    calls: { stat: [1.4, 1.0], open: [3.1, 1.0] }, overheads: { stat: 0.3 }, exceptions: { 10 => 2.7, 209 => 5.4 }
  )
  # The code runs for each i.
  KEPT = {
    mv: 'File.write("a#{i}", ""); FileUtils.mv("a#{i}", "b#{i}")',
    rm: 'begin; FileUtils.rm("none#{i}"); rescue Errno::ENOENT; end',
    remove_entry_secure: 'FileUtils.mkdir("d#{i}"); File.write("d#{i}/f", ""); FileUtils.remove_entry_secure("d#{i}")',
    mkdir_p: 'FileUtils.mkdir_p("made")', # one call, as with stock
    copy_with_preserve: 'File.write("a#{i}", ""); FileUtils.cp_r("a#{i}", "b#{i}", preserve: true)'
  }.freeze
  REMOVED = {
    rm_f: 'FileUtils.rm_f("none#{i}")',
    rm_rf: 'FileUtils.rm_rf("none#{i}")'
  }.freeze

  def setup
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
    skip "the C extension is off" unless Frugal::Native.engine_name == :c
  end

  KEPT.each do |name, code|
    define_method("test_no_promise_for_#{name}") do
      assert_empty promised(record(name, code)).map(&:message)
      assert_equal events(record("#{name}-stock", code)), events(record("#{name}-frugal", code, ENABLED))
    end
  end

  REMOVED.each do |name, code|
    define_method("test_the_promise_for_#{name}_is_kept") do
      stock = record(name, code)
      findings = promised(stock)
      refute_empty findings
      fewer = events(stock).sum - events(record("#{name}-frugal", code, ENABLED)).sum
      assert_operator fewer, :>=, findings.sum(&:count)
    end
  end

  private

  def record(folder, code, options = [])
    command = [RUBY, "-W0", *options, "-e", "require 'fileutils'; 100.times { |i| #{code} }"]
    null = { in: File::NULL, out: File::NULL, err: File::NULL }
    recording = Frugal::Profile::Run.new(command, chdir: @folder = mkdir(folder.to_s), **null).call
    assert recording.status.success?
    recording
  end

  def promised(recording)
    found = Frugal::Profile::Analyzer.new(recording, COSTS).findings
    found.select { |finding| finding.drop_in == :fileutils }
  end

  # @return [Array(Integer, Integer)] calls for paths in the program's folder, except for those by which Ruby looks for its built-in
  #   features, and exceptions in FileUtils
  def events(recording)
    raised = recording.raises.select(&:error)
    folder = "#{File.realpath(@folder)}/"
    [recording.calls.count { |call| call.path&.start_with?(folder) && !call.path.end_with?(".so", ".rb") },
     raised.count { |one| one.stack.frames.any? { |frame| frame.file.to_s.end_with?("/fileutils.rb") } }]
  end
end
