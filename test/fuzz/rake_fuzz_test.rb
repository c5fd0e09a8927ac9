# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rake_fuzzing"
require_relative "../support/rakes"
require_relative "rake/report"

# A short run of Rake's fuzzer: it works, and the drop-in has no known difference. FUZZ_CASES sets the number of cases,
# FUZZ_SEED repeats a run.
class RakeFuzzTest < Frugal::TestCase
  include RakeFuzzing

  CASES = Integer(ENV.fetch("FUZZ_CASES", QUICK ? "60" : "200"))
  OF_EACH_RAKE = QUICK ? 20 : 60

  def test_no_difference_under_the_c_engine
    skip "no compiled library here" unless Frugal::Native.engine_name == :c
    assert_no_difference(engine: "c", seed: SEED, numbers: 0...CASES)
  end

  def test_no_difference_under_the_pure_engine
    assert_no_difference(engine: "pure", seed: SEED, numbers: CASES...CASES * 2)
  end

  Rakes.all.each do |rake|
    define_method("test_no_difference_with_#{File.basename(rake)}") do
      assert_no_difference(rake: rake, seed: SEED, numbers: 0...OF_EACH_RAKE)
    end
  end

  def test_stock_does_not_differ_from_stock_and_most_cases_build_something
    count = QUICK ? 100 : 300
    result = campaign(control: true, seed: SEED, numbers: 0...count)
    assert result.differences.empty?, -> { failure_report(result, control: true) }
    verdicts = result.census.verdicts
    assert_operator verdicts[:same], :>=, count * 9 / 10, "the control is unstable too often: #{verdicts}"
    kinds = result.census.kinds
    built = kinds.sum { |kind, count| kind.match?(/\A(?:more|\d)/) ? count : 0 }
    # The generator aims at half. In 100 random cases, the number is outside of three standard deviations once in 700 runs.
    least = (count / 2) - (3 * Math.sqrt(count) / 2)
    assert_operator built, :>=, least, "of #{count} cases, only #{built} build something and succeed: #{kinds}"
  end

  def test_a_case_of_a_seed_is_always_the_same
    one, two = Array.new(2) { (0...50).map { |number| RakeFuzz::Generator.new(SEED, number).call.to_source } }
    assert_equal one, two
    assert_equal 50, one.uniq.size
  end

  def test_the_source_of_a_case_evaluates_to_an_equal_case
    cases = (0...200).map { |number| RakeFuzz::Generator.new(SEED, number).call }
    assert cases.any? { |kase| kase.tree.any? { |entry| entry[3].is_a?(Rational) } }
    cases.each { |kase| assert_equal kase, eval(kase.to_source) } # rubocop:disable Security/Eval -- our own text
  end

  %w[c pure].each do |engine|
    define_method("test_the_corpus_shows_no_difference_under_#{engine}") do
      skip "no compiled library here" if engine == "c" && Frugal::Native.engine_name != :c
      with_pair(engine: engine) do |pair|
        RakeFuzz::Corpus.load.each do |name, kase|
          judgement = pair.judge(kase)
          refute_equal :differs, judgement.verdict, -> { "#{name}:\n#{RakeFuzz::Comparer.explain(judgement.found)}" }
        end
      end
    end
  end

  # Threads may run in any order: with the shaker, stock shows more of its outcomes.
  def test_stock_alone_has_more_than_one_outcome_of_a_race
    kase = RakeFuzz::Corpus.load.fetch("05-multitask-fails-on-one-of-two-ways")
    with_pair(control: true) do |pair|
      errors = (0...60).lazy.map { |seed| pair.stock.run(kase, shaken: seed)[:error] }.uniq.first(2)
      assert_equal ["TOP => default => lib => bad", "TOP => lib => bad"], errors.map { |error| error[2] }.sort
    end
  end

  private

  def assert_no_difference(**options)
    result = campaign(minimize: true, **options)
    puts "\n#{options.slice(:engine, :rake)}: seed #{SEED}, #{result.cases} cases, #{result.census.verdicts}"
    assert result.differences.empty?, -> { failure_report(result, **options) }
    assert_operator result.cases, :>, 0
  end

  def failure_report(result, **options)
    capture_io { RakeFuzz::Report.new({ rake: RAKE, **options, seed: SEED }).print(result) }.first
  end
end
