# frozen_string_literal: true

require_relative "cases"
require_relative "raising"
require_relative "traffic"
require_relative "../support/results"

module Frugal
  module ErrorsBench
    # The measurements of one way. By round: seconds of processor time of one request `inside` of the process and on the
    # `wire`, and requests per second (`rates`).
    class Row < Bench::Row
      # @return [Way]
      attr_reader :way
      # @return [Traffic]
      attr_reader :traffic
      # @return [Float, nil] of one request
      attr_accessor :objects

      def initialize(subject, way)
        super(subject, way.label, :inside, :wire, :rates)
        @way = way
        @traffic = Traffic.new
      end

      # @return [Symbol] where it was measured: on the wire if that is possible
      def kind = median(:wire) ? :wire : :inside

      # @return [Float, nil] seconds of processor time
      def median(kind = self.kind) = super

      def to_h
        wire = { wire: self[:wire].rounded(10), rates: self[:rates].rounded(1), **traffic.to_h } if subject.wire
        { case: subject.name, way: label, variant: way.variant, path: way.path, status: way.status,
          inside: self[:inside].rounded(10), objects: objects&.round(1), **wire.to_h, dies: death }.compact
      end
    end

    # The rows of each case, with ratios and targets. Most targets are a ratio (whole ÷ part) of the processor times of
    # one request.
    class Results < Bench::Results
      STOCK = "stock"
      RETURNED = "with frugal, 404, returned"
      AT_DEPTH = [["Frugal.halt", 0.93], ["Frugal.signal", 0.93], ["frugal's Responder, raise", 0.90]].freeze
      # Whole, part, place of the measurement, sense of the bound, bound.
      PUMA = [
        *AT_DEPTH.product(Cases::DEPTHS).map do |(label, bound), depth|
          ["#{RETURNED}, #{depth} deep", "#{label}, #{depth} deep", :wire, :at_least, bound]
        end,
        *AT_DEPTH.map { |label,| ["with frugal, an ERB page", "#{label}, 0 deep", :wire, :at_least, 1.0] }
      ].freeze
      RAILS = [
        *["frugal, raise", "frugal, raise, 150 deep"].flat_map do |label|
          [["frugal, page", label, :inside, :at_least, 1.25],
           [label, "frugal, head :not_found", :inside, :at_most, 1.18]]
        end,
        ["frugal, page", "frugal, find", :inside, :at_least, 0.95],
        ["frugal, page", "frugal, unknown route", :inside, :at_least, 2.9],
        ["frugal, page", "frugal, NoMethodError", :inside, :at_least, 1.1],
        ["frugal, route_check, page", "frugal, route_check, unknown route", :inside, :at_least, 40.0],
        ["frugal, route_check, page", "frugal, route_check, unknown route", :wire, :at_least, 8.0]
      ].freeze
      SINATRA = [
        ["frugal, page", "frugal, unknown route", :inside, :at_least, 1.25],
        ["frugal, page", "frugal, error block", :inside, :at_least, 1.05],
        ["frugal, page", "frugal, error block, 150 deeper", :inside, :at_least, 0.9],
        ["frugal, page", "frugal, NoMethodError", :inside, :at_least, 0.9]
      ].freeze
      FILES = [
        ["Frugal::Files, missing", "File.open and rescue, missing", :inside, :at_most, 0.5],
        ["Frugal::Files, missing", "Rack::Files, missing", :inside, :at_most, 1 / 3.0]
      ].freeze
      TIMES = { "puma" => PUMA, "rails" => RAILS, "sinatra" => SINATRA, "files" => FILES }.freeze
      PLACES = { inside: "in process", wire: "on the wire" }.freeze

      # @return [Raising, nil]
      attr_accessor :raising

      # Removes a variant that cannot be measured here.
      def remove_variant(subject, variant)
        rows(subject).reject! { |row| row.way.variant == variant }
        @table.delete(subject) if rows(subject).empty?
      end

      # @return [Row, nil] the normal page of the same variant
      def page(row) = rows(row.subject).find { |other| other.way.page? && other.way.variant == row.way.variant }

      # @return [Row, nil] the same request to stock
      def stock(row)
        return if row.way.variant == STOCK

        rows(row.subject).find { |other| other.way.variant == STOCK && other.way.path == row.way.path }
      end

      private

      # Those whose parts were measured.
      def goals_of(name)
        return [] unless TIMES.key?(name)

        times = TIMES.fetch(name).filter_map do |whole, part, kind, sense, bound|
          next unless row(name, part)

          value = times(row(name, whole), row(name, part), kind)
          goal(name, "#{whole} / #{part}, #{PLACES.fetch(kind)},", sense, bound, value)
        end
        times + (name == "puma" ? AT_DEPTH.filter_map { |label,| object_goal(label) } : []) + traffic_goals(name)
      end

      # An error in a deep stack must not create more objects than one in a shallow stack.
      def object_goal(label)
        shallow, deep = Cases::DEPTHS.minmax.map { |depth| row("puma", "#{label}, #{depth} deep")&.objects }
        return unless shallow && deep

        goal("puma", "additional objects of #{label}, 200 deep,", :at_most, 0, (deep - shallow).round)
      end

      def traffic_goals(name)
        return [] unless subject(name).wire

        rows = rows(subject(name)).reject { |row| row.traffic.runs.zero? }
        [["socket errors", :errors], ["connections that were not kept alive", :broken]].map do |text, count|
          goal(name, text, :at_most, 0, (rows.sum { |row| row.traffic.public_send(count) } if rows.any?))
        end
      end

      def content = { **super, raising: raising.to_a }
    end
  end
end
