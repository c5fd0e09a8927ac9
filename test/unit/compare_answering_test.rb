# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/profile"
require "frugal/compare/answering"

# What a program saves if it does not ask again, with real runs. Times are not asserted.
class CompareAnsweringTest < Frugal::TestCase
  ASKS = "20.times { File.exist?('x') }\n5.times { Dir.children('.') }\n"

  def setup
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
  end

  def test_report
    steps = []
    report = verify("#{ASKS}File.write('written', 'same')\nputs 'same'") { |step| steps << step }
    assert_equal [23, 23, [], nil, []], [report.asked, report.answered, report.refuted, report.problem, report.notes]
    assert_equal %i[redundant_call repeated_listing], report.outcomes.map { |outcome| outcome.finding.kind }.sort
    assert_in_delta report.predicted, @findings.sum(&:saved_us) / 1e6
    intervals = [report.saved, report.taken, *report.outcomes.map(&:taken)]
    intervals.each { |interval| assert_equal interval.to_a.minmax, [interval.low, interval.high] }
    outcome = report.outcomes.first
    assert_in_delta outcome.taken.median / outcome.predicted - 1, outcome.error
    assert_equal ["comparing the answers", "pair 1 of 2, with the kernel's answers", "pair 1 of 2, without the kernel's answers",
                  "pair 2 of 2, without the kernel's answers", "pair 2 of 2, with the kernel's answers"], steps
  end

  def test_what_each_run_has_of_its_own_is_not_compared
    report = verify("#{ASKS}File.write('written', $$)\nputs 1\nwarn $$")
    assert_equal ["not compared, since each run has another one: the stderr, #{File.realpath(path("written"))}"], report.notes
    assert_nil report.problem
    assert_equal 23, report.answered
  end

  # The program sees with which answers it runs, as none can.
  def test_an_effect_of_the_answers
    report = verify("#{ASKS}trace = File.read('/proc/self/maps')[%r{/\\S+/answers}] || exit\nputs File.binread(trace).unpack1('x8L')")
    assert_equal "the stdout is another one without the kernel's answers", report.problem
  end

  # Another process changes the file, while this one only computes. The analyzer knows that, so it has no such finding.
  def test_a_finding_whose_answers_differ_is_refuted
    write("x")
    verify(<<~'RUBY')
      parent = $$
      fork { sleep 0.02 until File.exist?("go"); File.rename("x", "moved"); sleep 0.01 while Process.ppid == parent }
      File.exist?("x")
      File.write("go", "")
      nil until File.exist?("moved")
      File.exist?("x")
      File.rename("moved", "x")
      File.unlink("go")
    RUBY
    refute_includes @findings.flat_map(&:examples), path("x")
    report = answering(1).of([refuted = finding("x")])
    assert_equal [[refuted], 0, 0, [], nil], [report.refuted, report.asked, report.answered, report.outcomes, report.saved]
  end

  def test_a_command_that_cannot_run_again
    error = assert_raises(Frugal::Error) { verify("#{ASKS}exit 1 if File.exist?('again')\nFile.write('again', '')") }
    assert_equal "the command failed when it ran again: exit status 1", error.message
  end

  def test_nothing_to_answer
    assert_nil verify("File.exist?('x')")
  end

  private

  def verify(program, &progress)
    write("program.rb", program)
    @command = [RUBY, "--disable-gems", "-C#{tree}", "program.rb"]
    @recording = Frugal::Profile::Run.new(@command, out: File::NULL, err: File::NULL).call
    @findings = Frugal::Profile::Analyzer.new(@recording, Frugal::Profile::CostModel.calibrate).findings.select(&:waste?)
    answering(2).of(@findings, &progress)
  end

  def answering(pairs) = Frugal::Compare::Answering.new(@command, @recording, pairs: pairs)

  def finding(name)
    calls = [Frugal::Profile::Call.new(nil, 1, 0, 0, :stat, nil, path(name), nil, nil, 0, 0, 0, nil, nil)]
    Frugal::Profile::Finding.new(kind: :redundant_call, path: [], count: 1, calls: calls, saved_us: 1.0)
  end
end
