# frozen_string_literal: true

require_relative "cases"
require_relative "../support/sides"

module Frugal
  module RealBench
    # The measurements of a program. `dropins` are the names of those that were on; nil for a sized program.
    class Row < Bench::Pair
      # @return [Array<String>, nil]
      attr_accessor :dropins

      def to_h = { **subject.to_h, calls: calls, cpu: cpu, dropins: dropins }.compact
    end

    # All rows. There are no targets.
    class Results < Bench::Results
      # @return [Row]
      def add(name, size = nil) = Cases::Case.new(name, size).then { |one| super(one, [Row.new(one)]).first }

      # @return [Array<Row>] real programs
      def programs = rows.reject { |row| row.subject.size }

      # @return [Hash{String => Array<Row>}] name => the rows of its sizes, ascending
      def sized = rows.select { |row| row.subject.size }.group_by(&:label)

      # @param rows [Array<Row>] of one name
      # @return [Integer, nil] the smallest size from which on frugal takes less processor time in each size
      def self.gains_from(rows) = rows.reverse.take_while { |row| row.ratio.kind == :faster }.last&.subject&.size

      # @return [Hash] for the JSON; times are seconds
      def to_h = content
    end
  end
end
