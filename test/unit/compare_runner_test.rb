# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/compare"

class CompareRunnerTest < Frugal::TestCase
  Runner = Frugal::Compare::Runner

  # Runs until its own CPU clock reaches the limit: a lower bound that does not depend on the machine.
  BUSY = "nil until Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) >= 0.2"

  def test_cpu_time_includes_children_and_their_children
    runner = Runner.new(tree)

    assert_operator runner.run([RUBY, "-e", BUSY]).cpu, :>=, 0.2
    assert_operator runner.run(["sh", "-c", "'#{RUBY}' -e '#{BUSY}'; :"]).cpu, :>=, 0.2
  end

  def test_cpu_time_does_not_include_the_preparation
    runner = Runner.new(tree, prepare: "'#{RUBY}' -e '#{BUSY}'")

    assert_operator runner.run(["true"]).cpu, :<, 0.2
  end

  def test_output_goes_to_files_and_input_is_empty
    program = "print $stdin.read, [$stdin, $stdout, $stderr].map(&:tty?), $stdout.stat.ftype; warn 'x'"
    sample = Runner.new(tree).run([RUBY, "-e", program])

    assert_equal "[false, false, false]file", File.read(sample.stdout)
    assert_equal "x\n", File.read(sample.stderr)
  end

  def test_a_single_word_is_not_passed_to_a_shell
    assert_equal 127, assert_raises(Frugal::CommandError) { Runner.new(tree).run(["echo $HOME; true"]) }.status
  end

  def test_more_output_than_a_pipe_holds
    assert_equal 1_000_000, File.size(Runner.new(tree).run([RUBY, "-e", "print 'x' * 1_000_000"]).stdout)
  end
end
