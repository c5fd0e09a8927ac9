# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/recording_builder"
require "frugal/profile/analyzer"

class ProfileCostModelTest < Frugal::TestCase
  CostModel = Frugal::Profile::CostModel
  MODEL = CostModel.new(calls: { stat: [1.5, 1.0], open: [4.0, 0.9] }, overheads: { stat: 0.5, open: 2.0 },
                        exceptions: { 50 => 8.0, 10 => 4.0, 100 => 9.0 })

  def test_the_cost_of_a_call
    assert_equal [1.5, 1.0], [MODEL.call_us(:stat), MODEL.call_us(:stat, failed: true)]
    assert_equal [4.0, 0.9], [MODEL.call_us(:openat), MODEL.call_us(:fopen, failed: true)]
    assert_equal 1.5, MODEL.call_us(:unheard_of)
    assert_equal [0.5, 2.0, 0.5], %i[statx creat flock].map { |name| MODEL.overhead_us(name) }
  end

  def test_exceptions_are_interpolated_between_the_depths
    assert_equal [4.0, 6.0, 8.0, 8.5, 9.0, 10.0], [10, 30, 50, 75, 100, 150].map { |depth| MODEL.exception_us(depth) }
    assert_in_delta 3.5, MODEL.exception_us(5)
    assert_in_delta 0.0, CostModel.new(calls: {}, overheads: {}, exceptions: { 10 => 1.0, 20 => 9.0 }).exception_us(1)
    assert_in_delta 7.0, CostModel.new(calls: {}, overheads: {}, exceptions: { 10 => 7.0 }).exception_us(99)
  end

  def test_calibration_measures_every_figure
    table = CostModel.calibrate.table
    assert_equal %i[calls clock disturbance exceptions methods open_miss overheads piece search], table.keys.sort
    figures = table.values.flat_map { |value| value.is_a?(Hash) ? value.values.flatten : [value] }
    assert figures.all? { |figure| figure.finite? && figure >= 0 }, table
    assert_operator CostModel.new(table).call_us(:stat), :>, 0
    assert_equal 3, table[:exceptions].size
  end

  def test_calibration_leaves_nothing_behind
    result = run_ruby("-rfrugal/profile/cost_model", "-e", <<~'RUBY', env: { "TMPDIR" => tree })
      open = -> { Dir.children("/proc/self/fd").size }
      before = open.call
      Frugal::Profile::CostModel.calibrate
      p open.call - before
    RUBY
    assert_equal "0\n", result.out, result
    assert_empty Dir.children(tree)
  end

  # Some calls are no evidence; of many that repeat each other, the fastest twentieth counts, whatever a preemption took.
  def test_recorded_durations_are_better_evidence_than_the_model
    assert_in_delta 4 * 1.5, saved_us([900] * 5)
    assert_in_delta 100 * (0.7 + 0.5), saved_us(([700] * 50) + [90_000_000] + ([700] * 50))
    assert_in_delta 100 * (0.7 + 0.5), saved_us(([700] * 10) + ([1900] * 91))
  end

  # A single call per path is as slow as it was; a repeated one finds the path in the caches.
  def test_only_repeated_calls_cost_what_the_fastest_take
    savings = Frugal::Profile::Findings::Savings.new(MODEL)
    calls = stats(([700] * 10) + ([1900] * 91))
    assert_in_delta 101 * (1.9 + 0.5), savings.of(calls).us
    assert_in_delta 101 * (0.7 + 0.5), savings.repeated(calls).us
    assert_equal([101 * (0.7 + 0.5), 101 * (1.9 + 0.5)].map { |us| us.round(6) }, savings.of(calls).range.map { |us| us.round(6) })
  end

  def test_what_the_recorder_cannot_see_is_added_and_its_clock_subtracted
    model = CostModel.new(**MODEL.table, methods: { "mtime" => 0.8 }, clock: 0.1, search: 1.3, piece: 0.05, disturbance: 0.2)
    savings = Frugal::Profile::Findings::Savings.new(model)
    assert_in_delta 20 * (0.7 - 0.1 + 0.8), savings.of(stats([700] * 20)).us
    assert_in_delta 20 * (0.7 - 0.1 + 0.5), savings.of(stats([700] * 20, "exist?")).us
    assert_in_delta 20 * (0.7 - 0.1 + 0.5 + 0.2 - 0.05), savings.reads(stats([700] * 20, "exist?")).us
    opens = stats([700] * 20, "require").each { |call| call.name = :open }
    assert_in_delta 20 * (0.7 - 0.1 + 1.3), savings.searches(opens).us
  end

  private

  # @return [Array<Frugal::Profile::Call>] by a method of Ruby
  def stats(durations, method = "mtime")
    RecordingBuilder.build do
      file "a"
      line 3, method
      durations.each { |duration| lasting(duration) && stat("a") }
    end.calls
  end

  # @param durations [Array<Integer>] nanoseconds of equal calls
  def saved_us(durations)
    recording = RecordingBuilder.build do
      file "a"
      line 3, "mtime"
      durations.each { |duration| lasting(duration) && stat("a") }
    end
    Frugal::Profile::Analyzer.new(recording, MODEL).findings.sum(&:saved_us)
  end
end
