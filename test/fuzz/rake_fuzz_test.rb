# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/fuzzers"
require_relative "../support/rakes"
require_relative "campaign"
require_relative "corpus"
require_relative "report"

# The differential fuzzer in small: enough to see that it works, that it would
# see a bug, and that the drop-in has none that it knows. FUZZ_CASES and
# FUZZ_SEED make it more, or the same again.
class RakeFuzzTest < Frugal::TestCase
  include Fuzzers

  RAKE = Gem::Specification.find_by_name("rake").full_gem_path
  CASES = Integer(ENV.fetch("FUZZ_CASES", "200"))

  def test_no_difference_under_the_c_engine
    skip "no compiled library here" unless Frugal::Native.engine_name == :c
    assert_no_difference(engine: "c", seed: SEED, numbers: 0...CASES)
  end

  def test_no_difference_under_the_pure_engine
    assert_no_difference(engine: "pure", seed: SEED, numbers: CASES...CASES * 2)
  end

  Rakes.all.each do |rake|
    define_method("test_no_difference_with_#{File.basename(rake)}") do
      assert_no_difference(rake: rake, seed: SEED, numbers: 0...60)
    end
  end

  def test_stock_does_not_differ_from_stock_and_most_cases_are_builds
    result = campaign(control: true, seed: SEED, numbers: 0...300)
    assert result.differences.empty?, -> { told(result, control: true) }
    assert_operator result.census.verdicts[:same], :>=, 270, "the control wavers too often: #{result.census.verdicts}"
    kinds = result.census.kinds
    built = kinds.sum { |kind, count| kind.match?(/\A(?:more|\d)/) ? count : 0 }
    assert_operator built, :>=, 150, "of 300 cases, only #{built} build something and end well: #{kinds}"
  end

  Dir[File.join(__dir__, "plants", "*.rb")].sort.each do |file|
    name = File.basename(file, ".rb")
    define_method("test_the_planted_bug_#{name.tr("-", "_")}_is_found_within_100_cases") do
      result = campaign(engine: "pure", plant: name, seed: SEED, numbers: 0...100)
      refute result.differences.empty?, "seed #{SEED}: the fuzzer does not see #{name}"
    end
  end

  def test_a_case_of_a_seed_is_always_the_same
    one, two = Array.new(2) { (0...50).map { |number| RakeFuzz::Generator.new(SEED, number).call.to_source } }
    assert_equal one, two
    assert_equal 50, one.uniq.size
  end

  def test_the_source_of_a_case_is_the_case
    cases = (0...200).map { |number| RakeFuzz::Generator.new(SEED, number).call }
    assert cases.any? { |kase| kase.tree.any? { |entry| entry[3].is_a?(Rational) } }
    cases.each { |kase| assert_equal kase, eval(kase.to_source) } # rubocop:disable Security/Eval -- our own text
  end

  def test_a_minimal_case_is_small_and_still_differs
    result = campaign(engine: "pure", plant: "ge-for-gt", seed: SEED, numbers: 0...100, minimize: true)
    difference = result.differences.first
    assert_operator difference.minimal.to_source.size, :<, difference.case.to_source.size
    assert_equal :differs, difference.judgement.verdict
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

  # What threads may do in any order is stock's choice: shaken, it shows more of it.
  def test_stock_alone_answers_a_race_in_more_ways_than_one
    kase = RakeFuzz::Corpus.load.fetch("05-multitask-fails-on-one-of-two-ways")
    with_pair(control: true) do |pair|
      ways = (0...60).lazy.map { |seed| pair.stock.run(kase, shaken: seed)[:error] }.each_with_object([]) do |error, seen|
        seen << error unless seen.include?(error)
        break seen if seen.size == 2
      end
      assert_equal ["TOP => default => lib => bad", "TOP => lib => bad"], ways.map { |error| error[2] }.sort
    end
  end

  # And no more than that: a wrong answer is one in every order.
  def test_a_wrong_answer_of_threads_that_race_is_still_found
    kase = RakeFuzz::Corpus.load.fetch("05-multitask-fails-on-one-of-two-ways").dup
    kase.tree += [["file", "out", nil, 1]] # as old as s.c
    kase.statements = kase.statements.map { |one| [one.first.sub("d120]", "d120 out]")] } + [["file('out' => 's.c') { |t| Fuzz.build(t) }"]]
    verdicts = [nil, "ge-for-gt"].map { |plant| with_pair(engine: "pure", plant: plant) { |pair| pair.judge(kase).verdict } }
    refute_equal :differs, verdicts.first
    assert_equal :differs, verdicts.last
  end

  private

  def campaign(minimize: false, rake: RAKE, **options)
    RakeFuzz::Campaign.new(minimize: minimize, rake: rake, **options).run
  end

  def assert_no_difference(**options)
    result = campaign(minimize: true, **options)
    puts "\n#{options.slice(:engine, :rake)}: seed #{SEED}, #{result.cases} cases, #{result.census.verdicts}"
    assert result.differences.empty?, -> { told(result, **options) }
    assert_operator result.cases, :>, 0
  end

  def told(result, **options)
    capture_io { RakeFuzz::Report.new({ rake: RAKE, **options, seed: SEED }).print(result) }.first
  end

  def with_pair(**options)
    pair = RakeFuzz::Pair.new(rake: RAKE, **options)
    yield pair
  ensure
    pair&.close
  end
end
