# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/recorded_programs"

# The recorder in programs of C: each does the same as without it, and its calls are recorded.
class CProgramsTest < Frugal::TestCase
  include RecordedPrograms

  def test_signal_handlers_that_make_calls
    recording = record_same(compile_program("signals"), "ask")
    assert_equal 2000 + 6000, names(recording, :stat).grep_v("of-handler").grep_v("after").size
  end

  # A call that a handler jumped out of may be missing, and is made again.
  def test_signal_handlers_that_jump_out_of_calls
    recording = record_same(compile_program("signals"), "jump")
    found = names(recording, :stat)
    assert_empty ["after", *(0...500).map { |i| "name#{i}" }, *[0, 1].product((0...3000).to_a).map { |n, i| "other#{n}-#{i}" }] - found
  end

  def test_pointers_that_are_not_valid
    recording = record_same(compile_program("pointers"))
    assert_includes recording.calls.map { |call| [call.name, call.path, call.error] }, [:stat, nil, "EFAULT"]
  end

  def test_processes_that_are_created_without_the_handlers_of_fork
    recording = record_same(compile_program("forks"))
    stats = names(recording, :stat).tally
    assert_equal [100] * 4, stats.values_at("of-_Fork", "of-system-call", "of-clone", "of-shared")
    assert_equal 1, stats["after"]
    assert_includes recording.processes.map { |process| process.argv.first }, "by-execveat"
    own, others = recording.calls.select { |call| call.path&.end_with?("/of-shared", "/after") }.partition { |call| call.path.end_with?("after") }
    assert_equal [1, 1], [own, others].map { |calls| calls.map { |call| call.process.pid }.uniq.size }
    refute_equal own.first.process.pid, others.first.process.pid
  end

  def test_threads_that_start_shells_at_the_same_time
    recording = record_same(compile_program("shells"))
    assert_equal 2 + (4 * 80), recording.processes.size
  end

  # dup2 in the child of a vfork changes the child only; dup2 in the parent, after the child, changes the parent.
  def test_descriptors_of_a_process_and_of_its_child_of_vfork
    recording = record_same(compile_program("forks"))
    writes = recording.calls.select { |call| call.name == :write && call.path&.match?(%r{/(file|other)\z}) }
    assert_equal [["other", 1], ["file", 2]], writes.map { |call| [File.basename(call.path), call.bytes] }
  end
end
