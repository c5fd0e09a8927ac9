# frozen_string_literal: true

require_relative "cases"
require_relative "goals"
require_relative "../support/series"
require_relative "../support/subject_rows"

module Frugal
  module SessionsBench
    # The measurements of one rival with one subject. By round: seconds of one visit, call or request (`time`), which is
    # processor time for an application and wall time elsewhere; requests per second (`rates`); seconds of processor
    # time of the Redis server for a request (`server`). Also the `cost` in system calls, and `death`: why it failed.
    Row = Struct.new(:subject, :label, :time, :rates, :server, :cost, :death, keyword_init: true) do
      # @return [Float, nil] seconds
      def median = time.median
    end

    # The rows of each subject, with ratios and targets.
    class Results
      include Bench::SubjectRows

      # @return [Hash{Array(String, Integer) => Float}] label and number of sessions => seconds to make one
      attr_reader :fills

      # @param quick [Boolean] whether the sizes are those of --quick, for which there are no targets
      def initialize(quick:)
        @quick = quick
        @rows = {}
        @fills = {}
      end

      # @param subject [Subject]
      # @return [Array<Row>]
      def add(subject)
        @rows[subject] = Cases.labels(subject).map do |label|
          series = Array.new(3) { Bench::Series.new(label) }
          Row.new(subject: subject, label: label, time: series[0], rates: series[1], server: series[2])
        end
      end

      # @return [Array<String>] names of the cases
      def names = Cases::NAMES & subjects.map(&:name)

      # @param name [String] of a case
      # @return [Row, nil]
      def find(name, action, label, sessions = nil)
        subject = Subject.new(name: name, sessions: sessions, action: action)
        row(subject, label)
      end

      # @return [Float, nil] whole ÷ part
      def times(whole, part) = (part.time.against(whole.time)&.median if whole && part)

      # @param name [String, nil] of a case; nil: all
      # @return [Array<Bench::Goal>]
      def goals(name = nil)
        return names.flat_map { |one| goals(one) } unless name

        Goals.new(self, judged: !@quick).of(name)
      end

      # @return [Hash] for the JSON; times are seconds
      def to_h
        { rows: subjects.flat_map { |subject| rows(subject).map { |row| row_h(row) } },
          fills: fills.map { |(label, sessions), seconds| { rival: label, sessions: sessions, seconds: seconds.round(9) } },
          targets: goals.map(&:to_h) }
      end

      private

      def row_h(row)
        kind = row.subject.application? ? :cpu : :wall
        { case: row.subject.name, sessions: row.subject.sessions, action: row.subject.action, rival: row.label,
          kind => round(row.time, 10), rates: (round(row.rates, 1) if row.subject.application?),
          redis_cpu: (round(row.server, 10) if row.server.median&.positive?),
          calls: row.cost&.calls, exceptions: row.cost&.exceptions, dies: row.death }.compact
      end

      def round(series, digits) = series.times.map { |value| value&.round(digits) }
    end
  end
end
