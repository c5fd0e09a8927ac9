# frozen_string_literal: true

require_relative "../test_helper"
require "json"
require "frugal/compare"
require "frugal/compare/report/text"
require "frugal/compare/report/json"
require_relative "../support/json_schema"

# The reports, made from given numbers.
class CompareReportTest < Frugal::TestCase
  Compare = Frugal::Compare
  SCHEMA = JSONSchema.new(JSON.parse(File.read(File.join(ROOT, "docs/compare.schema.json"))))

  def test_the_report_of_a_faster_command
    expected = <<~TEXT
      *frugal makes it 6.1× faster (2.70 s → 0.44 s), 90,432 → 20,251 file calls*

                        stock      frugal   ratio   range of 3 pairs
      wall time        2.70 s      0.44 s    6.1×        6.0× – 6.2×
      CPU time         2.70 s      0.44 s    6.1×        6.0× – 6.2×
      allocations   2,000,000   1,000,000    2.0×
      exceptions            4           0       -
      file calls       90,432      20,251    4.5×
        stat           90,422      20,241    4.5×
        open               10          10    same

      next: frugal run -- rake -s
    TEXT

    assert_equal expected, text(result)
  end

  def test_the_report_of_a_slower_command
    slower = result(stock: [1.0, 1.0, 1.0], frugal: [1.05, 1.04, 1.03])

    assert text(slower).start_with?("*frugal takes more: CPU time 1.00 s → 1.04 s; frugal makes it 1.04× slower (1.00 s → 1.04 s), "), text(slower)
    assert text(slower).end_with?("\nnext: frugal doctor\n")
  end

  def test_what_frugal_takes_more_of_comes_first
    verdict = text(result(file_calls: file_calls({ "read" => [10, 30] })))
    assert verdict.start_with?("*frugal takes more: 10 → 30 file calls; frugal makes it 6.1× faster (2.70 s → 0.44 s)*"), verdict
  end

  def test_two_pairs_give_no_verdict_on_time
    assert_match(/\A\*too few pairs for a verdict on time \(1\.00 s → 0\.50 s\)/, text(result(stock: [1.0, 1.0], frugal: [0.5, 0.5])))
  end

  def test_no_verdict_within_the_noise
    assert_match(/\A\*no difference in time beyond noise \(1\.00 s → 0\.90 s\)/, text(result(stock: [1.0, 1.0, 1.0], frugal: [0.8, 0.9, 1.1])))
  end

  def test_the_kinds_that_changed_most_come_first
    calls = file_calls({ "read" => [50, 50], "stat" => [900, 100], "open" => [10, 20], "close" => [60, 60] })

    assert_equal %w[stat open close read], result(file_calls: calls).kinds
  end

  def test_the_cause_of_each_warning
    assert_empty warnings
    assert_equal ["the command fails (exit status 1) on both sides"], warnings(ending: "exit status 1")
    assert_includes warnings(stock: [0.05] * 3, frugal: [0.04] * 3).first, "a run is short (40.0 ms)"
    assert_includes warnings(stock: [1.0], frugal: [0.5]).first, "one pair does not show how much the times vary"
    assert_includes warnings(stock: [1.0, 1.0, 1.0, 3.0], frugal: [0.5] * 4).first,
                    "1 of the 4 stock runs took much more or less than their median (3.00 s)"
    assert_includes warnings(load: 1000.0).first, "the load was 1000.0"
    assert_equal ["file calls were not counted: no"], warnings(file_calls: nil, no_file_calls_reason: "no")
    assert_equal ["file calls: a is setuid"], warnings(file_calls: file_calls(notes: ["a is setuid"]))
  end

  # The recorder has the exceptions of all Ruby processes, the counter those of the processes that end normally.
  def test_exceptions_are_those_of_the_recorder_if_it_counted
    recorded = result(file_calls: file_calls(exceptions: [7, 5]))
    assert_equal [7, 5], %i[stock frugal].map { |side| recorded.count(:exceptions, side) }
    assert_equal 4, result(file_calls: file_calls(exceptions: [7, nil])).count(:exceptions, :stock)

    alone = result(file_calls: file_calls(exceptions: [7, 5]), counts: nil, no_counts_reason: "no")
    assert_equal [{ "unavailable" => "no" }, { "stock" => 7, "frugal" => 5 }], document(alone).values_at("allocations", "exceptions")
    assert_equal ["allocations were not counted: no"], Compare::Warnings.of(alone)
    assert_includes text(alone), "\nexceptions "
    refute_includes text(alone), "\nallocations "
  end

  def test_warnings_about_dropins_and_lost_processes
    aside = { name: "rake", state: "aside", reason: "rake 99 is not supported" }
    on = { name: "rake", state: "on", reason: nil }

    assert_equal ["rake stood aside: rake 99 is not supported"], warnings(counts: counts(frugal: { dropins: [aside] }))
    assert_match(/\A\*no drop-in was used: /, text(result(counts: counts(frugal: { dropins: [] }))))
    assert_match(/\A\*no drop-in was used: /, text(result(counts: nil, warmup_dropins: [on.merge(state: "waiting")])))
    assert_match(/\A\*frugal makes it /, text(result(counts: nil, warmup_dropins: [on])))
    assert_includes warnings(counts: counts(stock: { dropins: [on] })).first, "stock also used rake"
    assert_includes warnings(counts: counts(stock: { lost: 1 })).first, "1 Ruby process of the counting runs reported no counts"
  end

  def test_the_json_conforms_to_its_schema
    refusal = Compare::Refusal.new(:different, [Compare::Difference.new(what: "stdout", line: 1, before: ["\xFF"], after: [])])

    assert_empty SCHEMA.errors(document(result))
    without_counts = result(counts: nil, no_counts_reason: "no Ruby", file_calls: nil, no_file_calls_reason: "no recorder")
    assert_empty SCHEMA.errors(document(without_counts))
    assert_empty SCHEMA.errors(document(result(refusal: refusal)))
    assert_empty SCHEMA.errors(document(result(interrupted: true)))
    assert_empty SCHEMA.errors(document(result(failure: Compare::Failure.new(ending: "exit status 1", status: 1, tail: ["no"]))))
  end

  def test_the_schema_rejects_invalid_documents
    refute_empty SCHEMA.errors(document(result).merge("more" => 1))
    refute_empty SCHEMA.errors(document(result).merge("outcome" => "refused"))
    refute_empty SCHEMA.errors(document(result).except("wall"))
    refute_empty SCHEMA.errors(document(result).merge("command" => [1]))
  end

  private

  def text(result) = Compare::Report::Text.of(result) { |verdict| "*#{verdict}*" }

  def document(result) = JSON.parse(Compare::Report::JSON.of(result))

  def warnings(**changes) = Compare::Warnings.of(result(**changes))

  def result(stock: [2.7, 2.76, 2.64], frugal: [0.4426, 0.4452, 0.44], **changes)
    Compare::Result.new(command: %w[rake -s], options: Compare::DEFAULTS, ending: "exit status 0", load: 0.1,
                        started_at: Time.at(0), counts: counts, file_calls: file_calls,
                        pairs: pairs(stock, frugal), **changes)
  end

  def pairs(stock, frugal)
    stock.zip(frugal).map do |times|
      %i[stock frugal].zip(times).to_h { |side, time| [side, Compare::Sample.new(wall: time, cpu: time)] }
    end
  end

  def counts(stock: {}, frugal: {})
    usual = { exceptions: 4, processes: 1, lost: 0, dropins: [] }
    on = [{ name: "rake", state: "on", reason: nil }]
    { stock: Compare::Counts.new(allocations: 2_000_000, **usual, **stock),
      frugal: Compare::Counts.new(allocations: 1_000_000, **usual, exceptions: 0, dropins: on, **frugal) }
  end

  def file_calls(kinds = { "stat" => [90_422, 20_241], "open" => [10, 10] }, exceptions: [nil, nil], notes: [])
    %i[stock frugal].each_with_index.to_h do |side, index|
      calls = kinds.transform_values { |sides| Compare::FileCalls::Kind.new(sides[index], 0) }
      [side, Compare::FileCalls.new(calls, exceptions: exceptions[index], notes: notes)]
    end
  end
end
