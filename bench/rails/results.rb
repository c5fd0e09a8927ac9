# frozen_string_literal: true

require_relative "cases"
require_relative "../support/goal"

module Frugal
  module RailsBench
    # What was measured of one side of an application: seconds of processor time, one of each round.
    Row = Struct.new(:case, :side, :requests, :checks, :calls, :watched) do
      # @return [Float] seconds
      def request = Compare::Statistics.median(requests)

      # @return [Float] seconds
      def check = Compare::Statistics.median(checks)

      # @return [Integer, nil] nil if they could not be counted
      def file_calls = calls&.values&.sum

      def to_h = { case: self.case.name, side: side, requests: requests, checks: checks, calls: calls, watched: watched }
    end

    # The rows of all applications, and whether they meet the targets.
    class Results
      REQUESTS = { "fresh" => 3.0, "large" => 4.0 }.freeze # times less processor time than stock
      CHECKS = { "fresh" => 1_500, "large" => 1_500, "huge" => 6_000 }.freeze # µs
      CHEAPER = 20.0 # times
      MORE_CALLS = 20 # than there are folders and files
      private_constant :REQUESTS, :CHECKS, :CHEAPER, :MORE_CALLS

      # @return [Array<Row>]
      attr_reader :rows

      def initialize(quick:)
        @quick = quick
        @rows = []
      end

      # @return [Array<Row>] stock, frugal, free
      def of(one) = Cases::SIDES.filter_map { |side| rows.find { |row| row.case.name == one.name && row.side == side } }

      # @return [Array<Bench::Goal>]
      def goals
        cases.flat_map do |one|
          stock, ours, = of(one)
          name = one.name
          [REQUESTS[name] && goal(one, "request, stock / frugal", :at_least, REQUESTS[name], stock.request / ours.request),
           goal(one, "checkers, stock / frugal", :at_least, CHEAPER, stock.check / ours.check),
           goal(one, "µs of the checkers", :at_most, CHECKS.fetch(name), (ours.check * 1e6).round),
           goal(one, "calls of a request", :at_most, ours.watched + MORE_CALLS, ours.file_calls)].compact
        end
      end

      # @return [Array<Cases::Case>] those that were measured
      def cases = rows.map(&:case).uniq

      # @return [Hash] for the JSON; times are seconds
      def to_h = { rows: rows.map(&:to_h), targets: goals.map(&:to_h) }

      private

      def goal(one, text, sense, bound, value)
        Bench::Goal.new(subject: one.name, text: text, sense: sense, bound: bound, value: value, judged: !@quick)
      end
    end
  end
end
