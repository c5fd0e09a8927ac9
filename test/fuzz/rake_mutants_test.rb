# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rake_fuzzing"

# Rake's fuzzer finds each mutant of the drop-in. FUZZ_SEED repeats a run.
class RakeMutantsTest < Frugal::TestCase
  include RakeFuzzing

  Dir[File.join(__dir__, "rake/mutants/*.rb")].each do |file|
    name = File.basename(file, ".rb")
    define_method("test_the_mutant_#{name.tr("-", "_")}_is_found_within_100_cases") do
      result = campaign(engine: "pure", mutant: name, seed: SEED, numbers: 0...100)
      refute result.differences.empty?, "seed #{SEED}: the fuzzer does not find #{name}"
    end
  end

  def test_a_minimal_case_is_small_and_still_differs
    result = campaign(engine: "pure", mutant: "equal-time-is-newer", seed: SEED, numbers: 0...100, minimize: true)
    difference = result.differences.first
    assert_operator difference.minimal.to_source.size, :<, difference.case.to_source.size
    assert_equal :differs, difference.judgement.verdict
  end

  # An outcome that stock has in no order is excused by no order of its threads. The verdict is
  # :differs where stock itself had one outcome, and :undecided on a machine so busy that it had two.
  def test_a_wrong_outcome_of_threads_that_race_is_never_excused
    kase = RakeFuzz::Corpus.load.fetch("05-multitask-fails-on-one-of-two-ways").dup
    kase.tree += [["file", "out", nil, 1]] # same time as s.c
    kase.statements = kase.statements.map { |one| [one.first.sub("d120]", "d120 out]")] }
    kase.statements << ["file('out' => 's.c') { |t| Fuzz.build(t) }"]
    refute_equal :differs, with_pair(engine: "pure") { |pair| pair.judge(kase).verdict }
    wrong = with_pair(engine: "pure", mutant: "equal-time-is-newer") { |pair| pair.judge(kase) }
    assert_includes %i[differs undecided], wrong.verdict
    refute_empty wrong.found
  end
end
