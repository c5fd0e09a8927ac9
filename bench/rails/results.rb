# frozen_string_literal: true

require_relative "cases"
require_relative "../support/results"

module Frugal
  module RailsBench
    # What was measured of one side of an application: seconds of processor time of a request, and of all checkers.
    class Row < Bench::Row
      # @return [Integer] folders and files
      attr_reader :watched

      # @param samples [Array<Hash>] what the worker printed, by round
      # @param calls [Hash{String => Integer}, nil]
      def initialize(one, side, samples, calls)
        super(one, side, :request, :checks)
        samples.each_with_index { |sample, round| %i[request checks].each { |kind| self[kind][round] = sample[kind] } }
        @calls = calls
        @watched = samples.first[:watched]
      end

      # @return [Float] seconds
      def request = median(:request)

      # @return [Float] seconds
      def check = median(:checks)

      # @return [Integer, nil] nil if they could not be counted
      def file_calls = @calls&.values&.sum

      def to_h
        { case: subject.name, side: label, requests: self[:request].times, checks: self[:checks].times, calls: @calls,
          watched: watched }
      end
    end

    # The rows of all applications, and whether they meet the targets.
    class Results < Bench::Results
      REQUESTS = { "fresh" => 3.0, "large" => 4.0 }.freeze # times less processor time than stock
      CHECKS = { "fresh" => 1_500, "large" => 1_500, "huge" => 6_000 }.freeze # µs
      CHEAPER = 20.0 # times
      MORE_CALLS = 20 # than there are folders and files
      private_constant :REQUESTS, :CHECKS, :CHEAPER, :MORE_CALLS

      private

      def goals_of(name)
        stock, ours, = rows(subject(name))
        bound = REQUESTS[name]
        [(goal(name, "request, stock / frugal", :at_least, bound, stock.request / ours.request) if bound),
         goal(name, "checkers, stock / frugal", :at_least, CHEAPER, stock.check / ours.check),
         goal(name, "µs of the checkers", :at_most, CHECKS.fetch(name), (ours.check * 1e6).round),
         goal(name, "calls of a request", :at_most, ours.watched + MORE_CALLS, ours.file_calls)].compact
      end
    end
  end
end
