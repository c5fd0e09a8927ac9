# frozen_string_literal: true

require_relative "cases"
require_relative "../support/goal"
require_relative "../../lib/frugal/compare"

module Frugal
  module StartupBench
    # The measurements of a program on both sides. `calls` is a pair of counts (stock,
    # frugal), or nil without strace; `cpu` are pairs of seconds, by round.
    Row = Struct.new(:case, :calls, :cpu) do
      # @return [Integer, nil] system calls that frugal adds
      def added_calls = (calls.last - calls.first if calls)

      # @return [Integer, nil] µs of processor time that frugal adds: the median of the rounds
      def added_cpu
        (Compare::Statistics.median(cpu.map { |stock, ours| ours - stock }) * 1_000_000).round unless cpu.empty?
      end
    end

    # The rows of all programs, and whether they meet the targets.
    class Results
      # @return [Array<Row>]
      attr_reader :rows

      def initialize(quick:)
        @quick = quick
        @rows = []
      end

      # @param one [Cases::Case]
      # @return [Row]
      def add(one) = Row.new(one, nil, []).tap { |row| @rows << row }

      # @return [Array<Bench::Goal>]
      def goals
        rows.flat_map do |row|
          one = row.case
          [goal(one.name, "system calls added", one.calls, row.added_calls, true),
           goal(one.name, "µs of CPU added", one.cpu, row.added_cpu, !@quick)]
        end
      end

      # @return [Hash] for the JSON; times are seconds

      def to_h
        { cases: rows.to_h { |row| [row.case.name, { calls: row.calls, cpu: row.cpu }] }, targets: goals.map(&:to_h) }
      end

      private

      def goal(name, text, bound, value, judged)
        Bench::Goal.new(subject: name, text: text, sense: :at_most, bound: bound, value: value, judged: judged)
      end
    end
  end
end
