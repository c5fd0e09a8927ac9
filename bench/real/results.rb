# frozen_string_literal: true

require_relative "../../lib/frugal/compare"

module Frugal
  module RealBench
    # The measurements of one command on both sides. `calls` is a pair of counts (stock, frugal), or nil without strace;
    # `cpu` are pairs of seconds, by round; `dropins` are the names of those that were on; nil for a sized program.
    Row = Struct.new(:name, :size, :calls, :cpu, :dropins) do
      # @return [Compare::Statistics::Ratio, nil] stock ÷ frugal
      def ratio = (Compare::Statistics.ratio(cpu.map(&:first), cpu.map(&:last)) if cpu.any?)

      # @return [Array<Float>] the medians of stock and frugal
      def seconds = cpu.transpose.map { |side| Compare::Statistics.median(side) }

      def to_h = { name: name, size: size, calls: calls, cpu: cpu, dropins: dropins }.compact
    end

    # All rows.
    class Results
      # @return [Array<Row>]
      attr_reader :rows

      def initialize
        @rows = []
      end

      # @return [Row]
      def add(name, size = nil) = Row.new(name, size, nil, [], nil).tap { |row| @rows << row }

      # @return [Array<Row>] real programs
      def programs = rows.reject(&:size)

      # @return [Hash{String => Array<Row>}] name => the rows of its sizes, ascending
      def sized = rows.select(&:size).group_by(&:name)

      # @param rows [Array<Row>] of one name
      # @return [Integer, nil] the smallest size from which on frugal takes less processor time in each size
      def self.gains_from(rows) = rows.reverse.take_while { |row| row.ratio.kind == :faster }.last&.size

      # @return [Hash] for the JSON; times are seconds
      def to_h = { rows: rows.map(&:to_h) }
    end
  end
end
