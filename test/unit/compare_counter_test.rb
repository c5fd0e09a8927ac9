# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/compare"

# The file that a counting run preloads counts exactly, and the program cannot notice it.
class CompareCounterTest < Frugal::TestCase
  Counts = Frugal::Compare::Counts

  def test_allocations_are_those_of_the_program
    program = "Integer(ARGV.first).times { Object.new }"

    more = counts("-e", program, "6000").allocations - counts("-e", program, "1000").allocations

    assert_in_delta 5000, more, 50, "Ruby's own start varies by a few objects, with the seed of its hashes"
  end

  def test_all_exceptions_are_counted_rescued_or_not
    none = counts("-e", "").exceptions

    assert_equal none + 3, counts("-e", "2.times { begin; raise 'x'; rescue; end }; catch(:done) { throw :done }; Integer('y') rescue 0").exceptions
  end

  def test_exceptions_in_at_exit_handlers_are_counted
    none = counts("-e", "").exceptions

    assert_equal none + 1, counts("-e", "at_exit { begin; raise 'late'; rescue; end }").exceptions
  end

  def test_a_fork_does_not_count_what_its_parent_did
    forked = counts("-e", "100_000.times { Object.new }; fork { begin; raise 'x'; rescue; end }; Process.wait")
    alone = counts("-e", "100_000.times { Object.new }")

    assert_equal [2, 0], [forked.processes, forked.lost]
    assert_equal 1, forked.exceptions - alone.exceptions
    assert_operator forked.allocations - alone.allocations, :<, 1000
  end

  def test_child_processes_are_counted_and_lost_ones_reported
    children = counts("-e", "system(#{RUBY.dump}, '-e', ''); exec(#{RUBY.dump}, '-e', 'exit!')")

    assert_equal [3, 2], [children.processes, children.lost], "exec and exit! write no end line"
  end

  def test_the_program_does_not_notice_the_counter
    program = "p Object.constants.sort, $stdout.sync, defined?(Frugal); warn 'x'; exit 7"
    uncounted = run_command(RUBY, "-w", "-e", program)
    counted = run_command(RUBY, "-w", "-e", program, env: Counts.environment(path("counts")))

    assert_equal [uncounted.out, uncounted.err, 7], [counted.out, counted.err, counted.exitstatus]
  end

  def test_a_counts_file_that_cannot_be_written_is_ignored
    result = run_command(RUBY, "-w", "-e", "puts 1", env: Counts.environment(path("no/such/folder")))

    assert_equal ["1\n", "", 0], [result.out, result.err, result.exitstatus]
  end

  def test_the_users_rubyopt_and_rubylib_are_kept
    write("own/mine.rb", "$mine = true")
    own = { "RUBYOPT" => "-rmine", "RUBYLIB" => path("own") }
    [with_env(own) { Counts.environment(path("counts")) }, Counts.environment(path("counts"), own)].each do |environment|
      assert_equal "true\n", run_command(RUBY, "-e", "p $mine", env: environment).out
    end
  end

  def test_no_counts_without_a_ruby_process
    assert_nil Counts.read(path("counts"))
  end

  def test_a_dropin_that_was_on_in_one_process_was_on
    write("counts", "start\t1\ndropin\trake\twaiting\t\ndropin\trake\ton\t\nend\t1\t10\t2\n")

    assert_equal [{ name: "rake", state: "on", reason: nil }], Counts.read(path("counts")).dropins
  end

  private

  def counts(*arguments)
    file = path("counts-#{arguments.hash}")
    result = run_command(RUBY, *arguments, env: Counts.environment(file))
    assert_equal "", result.err
    Counts.read(file)
  end

  def with_env(changes)
    before = ENV.to_h
    ENV.update(changes)
    yield
  ensure
    ENV.replace(before)
  end
end
