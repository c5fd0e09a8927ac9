# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/profile"
require "frugal/compare/verification"

# What the drop-ins save, measured with real runs. Times are not asserted.
class CompareVerificationTest < Frugal::TestCase
  Verification = Frugal::Compare::Verification

  def test_an_outcome_for_each_drop_in_that_a_finding_names
    findings = [finding(:find, 2_000.0), finding(:find, 1_000.0), finding(nil, 9.0), finding(:rake, 5_000.0)]
    steps = []
    rake, find = verify(findings, "-e", "require 'find'") { |step| steps << step }
    assert_equal [[:rake, 0.005, [findings[3]], nil], [:find, 0.003, findings.first(2), nil]],
                 [rake, find].map { |one| [one.drop_in, one.predicted, one.findings, one.problem] }
    assert_operator find.low, :<=, find.measured
    assert_operator find.measured, :<=, find.high
    assert_in_delta find.measured / 0.003 - 1, find.error
    assert_equal ["find: warm-up, stock", "find: warm-up, frugal", "find: pair 1 of 1, stock", "find: pair 1 of 1, frugal"],
                 steps.grep(/\Afind/)
  end

  # Each of them runs with one drop-in only.
  def test_one_drop_in_at_a_time
    verify([finding(:find, 1.0), finding(:dir, 2.0)], "-e", "File.write('log', \"\#{ENV['FRUGAL_ONLY']}\\n\", mode: 'a')")
    assert_equal ["", "dir", "", "dir", "", "find", "", "find"].sort, File.readlines(path("log"), chomp: true).sort
  end

  def test_only_and_except
    findings = [finding(:find, 1.0), finding(:dir, 2.0), finding(:rake, 3.0)]
    { { only: "find,dir" } => %i[dir find], { except: "dir" } => %i[rake find], { only: "find,rake", except: "rake" } => %i[find],
      { only: "pstore" } => [] }.each do |options, expected|
      assert_equal expected, verify(findings, "-e", "1", **options).map(&:drop_in), options
    end
    error = assert_raises(Frugal::UsageError) { Verification.new(%w[true], except: "zebra") }
    assert_match(/\Aunknown drop-in: zebra /, error.message)
  end

  def test_nothing_to_verify
    assert_empty verify([finding(nil, 1.0)], "-e", "File.write('ran', '')")
    refute_path_exists path("ran")
  end

  def test_a_command_that_cannot_be_verified
    { "exit 3" => "the command failed without frugal: exit status 3", "puts $$" => "the command does something different each time",
      "puts ENV['FRUGAL_ONLY']" => "the drop-in changes what the command does: run frugal compare" }.each do |code, problem|
      outcome, = verify([finding(:find, 1.0)], "-e", code)
      assert_equal [problem, nil, nil, nil, nil], [outcome.problem, outcome.measured, outcome.low, outcome.high, outcome.error]
    end
    assert_raises(Frugal::CommandError) { Verification.new(["no-such-command"]).of([finding(:find, 1.0)]) }
  end

  private

  def verify(findings, *arguments, **options, &progress)
    Dir.chdir(tree) { Verification.new([RUBY, "--disable-gems", *arguments], pairs: 1, **options).of(findings, &progress) }
  end

  def finding(drop_in, saved_us)
    Frugal::Profile::Finding.new(kind: :redundant_call, path: [], count: 1, saved_us: saved_us, drop_in: drop_in)
  end
end
