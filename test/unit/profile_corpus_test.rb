# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/profile_corpus"
require "frugal/profile/analyzer"

# Precision and recall of the analyzer on recordings of planted wastes and of what only looks like waste.
class ProfileCorpusTest < Frugal::TestCase
  MODEL = Frugal::Profile::CostModel.new(
    calls: { stat: [1.5, 1.0], open: [4.0, 1.0], rename: [8.0, 1.0] }, overheads: { stat: 0.5 }, exceptions: { 10 => 4.0, 200 => 8.0 }
  )
  TARGET = 0.95

  def test_the_corpus_is_large_enough
    assert_operator ProfileCorpus.wastes.size, :>=, 30
    assert_operator ProfileCorpus.look_alikes.size, :>=, 30
    assert_empty Frugal::Profile::Finding::KINDS - [:freshness_check] - ProfileCorpus.wastes.flat_map { |waste| waste.expected.map(&:first) }
  end

  def test_recall
    missed = all.flat_map { |waste, found| (waste.expected - found).map { |finding| "#{waste.name}: #{finding.join(" ")}" } }
    expected = ProfileCorpus.wastes.sum { |waste| waste.expected.size }
    assert_operator 1 - missed.size.fdiv(expected), :>=, TARGET, missed.join("\n")
  end

  def test_precision
    wrong = all.flat_map { |program, found| (found - program.expected).map { |finding| "#{program.name}: #{finding.join(" ")}" } }
    shown = all.sum { |_, found| found.size }
    assert_operator 1 - wrong.size.fdiv(shown), :>=, TARGET, wrong.join("\n")
  end

  # Not only a share: each of these has been seen by hand.
  def test_no_case_is_missed_today
    wrong = all.reject { |program, found| found.sort == program.expected.sort }
    assert_empty wrong.map { |program, found| "#{program.name}: #{found} instead of #{program.expected}" }
  end

  private

  # @return [Array<Array(Case, Array)>]
  def all
    @all ||= (ProfileCorpus.wastes + ProfileCorpus.look_alikes).map { |program| [program, shown(program)] }
  end

  # @return [Array<Array(Symbol, String)>]
  def shown(program)
    findings = Frugal::Profile::Analyzer.new(RecordingBuilder.build(&program.program), MODEL).findings
    findings.select(&:waste?).map { |finding| [finding.kind, finding.path.join(" → ").gsub("/app/", "")] }.uniq
  end
end
