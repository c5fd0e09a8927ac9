# frozen_string_literal: true

require_relative "cases"
require_relative "goals"
require_relative "traffic"
require_relative "../support/series"

module Frugal
  module ErrorsBench
    # The measurements of one way. By round: seconds of processor time of one request
    # `inside` of the process and on the `wire`, and requests per second (`rates`). Also the
    # `objects` of one request, and `death`: the reason if the way failed.
    Row = Struct.new(:way, :inside, :wire, :rates, :objects, :traffic, :death, keyword_init: true) do
      def label = way.label

      # @return [Float, nil] requests per second
      def rate = rates.median

      # @return [Bench::Series] times on the wire if they were measured, or else in process
      def cpu = wire.median ? wire : inside
    end

    # The rows of each case, with ratios and targets.
    class Results
      STOCK = "stock"

      # @return [Raising, nil]
      attr_accessor :raising

      # @param quick [Boolean] whether the sizes are those of --quick, for which there are no targets
      def initialize(quick:)
        @quick = quick
        @rows = {}
      end

      # @param subject [Case]
      # @return [Array<Row>]
      def add(subject)
        @rows[subject] = subject.ways.map do |way|
          series = Array.new(3) { Bench::Series.new(way.label) }
          Row.new(way: way, inside: series[0], wire: series[1], rates: series[2], traffic: Traffic.new)
        end
      end

      # Removes a variant that cannot be measured here.
      #
      # @param subject [Case]
      # @param variant [String]
      def remove(subject, variant)
        @rows[subject].reject! { |row| row.way.variant == variant }
        @rows.delete(subject) if @rows[subject].empty?
      end

      # @return [Array<Case>] in the order of the runs
      def subjects = @rows.keys

      # @param name [String] of a case
      # @return [Case, nil]
      def subject(name) = subjects.find { |one| one.name == name }

      # @return [Array<Row>]
      def rows(subject) = @rows.fetch(subject, [])

      # @param name [String] of a case
      # @return [Row, nil]
      def row(name, label) = rows(subject(name)).find { |row| row.label == label }

      # @return [Row, nil] the normal page of the same variant
      def page(subject, row) = rows(subject).find { |other| other.way.page? && other.way.variant == row.way.variant }

      # @return [Row, nil] the same request to stock
      def stock(subject, row)
        return if row.way.variant == STOCK

        rows(subject).find { |other| other.way.variant == STOCK && other.way.path == row.way.path }
      end

      # @param kind [Symbol] `:inside` or `:wire`
      # @return [Float, nil] whole ÷ part
      def times(whole, part, kind) = (part[kind].against(whole[kind])&.median if whole && part)

      # @param name [String, nil] of a case; nil: all
      # @return [Array<Bench::Goal>]
      def goals(name = nil)
        return subjects.flat_map { |one| goals(one.name) } unless name

        Goals.new(self, judged: !@quick).of(name)
      end

      # @return [Hash] for the JSON; times are seconds of one request
      def to_h
        rows = subjects.flat_map { |subject| rows(subject).map { |row| row_h(subject, row) } }
        { rows: rows, raising: raising.to_a, targets: goals.map(&:to_h) }
      end

      private

      def row_h(subject, row)
        { case: subject.name, way: row.label, variant: row.way.variant, path: row.way.path, status: row.way.status,
          inside: round(row.inside, 10), wire: (round(row.wire, 10) if subject.wire),
          rates: (round(row.rates, 1) if subject.wire),
          objects: row.objects&.round(1), **(subject.wire ? row.traffic.to_h : {}), dies: row.death }.compact
      end

      def round(series, digits) = series.times.map { |value| value&.round(digits) }
    end
  end
end
