# frozen_string_literal: true

require_relative "recording_wastes"
require "frugal/profile/analyzer"

# Tests of the analyzer: builds a recording and asks for its findings, with a cost model of round figures.
module ProfileCase
  MODEL = Frugal::Profile::CostModel.new(
    calls: { stat: [2.0, 1.0], open: [4.0, 1.0], readlink: [3.0, 1.0] }, overheads: { stat: 1.0 }, exceptions: { 10 => 4.0, 110 => 14.0 }
  )

  # @return [Frugal::Profile::Analyzer]
  def analyzer(**options, &program)
    Frugal::Profile::Analyzer.new(RecordingBuilder.build(**options, &program), @model || MODEL)
  end

  # @return [Array<Frugal::Profile::Finding>] also those that are not shown
  def findings(**options, &program) = analyzer(**options, &program).findings

  # @return [Frugal::Profile::Finding] the only one
  def finding(**options, &program)
    found = findings(**options, &program)
    assert_equal 1, found.size, found.map(&:message).join("\n")
    found.first
  end

  # @return [Integer] the superfluous calls of this kind
  def count(kind, &program) = findings(&program).select { |finding| finding.kind == kind }.sum(&:count)
end
