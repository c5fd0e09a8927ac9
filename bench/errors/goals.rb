# frozen_string_literal: true

require_relative "../support/goal"

module Frugal
  module ErrorsBench
    # The targets of frugal for errors. Most are a ratio (whole ÷ part) of the processor
    # times of one request.
    class Goals
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
          [["frugal, page", label, :inside, :at_least, 1.25], [label, "frugal, head :not_found", :inside, :at_most, 1.18]]
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

      # @param results [Results]
      # @param judged [Boolean] false for quick sizes
      def initialize(results, judged:)
        @results = results
        @judged = judged
      end

      # @param name [String] of a case
      # @return [Array<Bench::Goal>] those whose parts were measured
      def of(name)
        return [] unless TIMES.key?(name)

        times = TIMES.fetch(name).filter_map { |goal| time_goal(name, *goal) if @results.row(name, goal[1]) }
        times + (name == "puma" ? AT_DEPTH.filter_map { |label,| object_goal(label) } : []) + traffic_goals(name)
      end

      private

      def time_goal(name, whole, part, kind, sense, bound)
        value = @results.times(@results.row(name, whole), @results.row(name, part), kind)
        goal(name, "#{whole} / #{part}, #{PLACES.fetch(kind)},", sense, bound, value)
      end

      # An error in a deep stack must not create more objects than one in a shallow stack.
      def object_goal(label)
        shallow, deep = Cases::DEPTHS.minmax.map { |depth| @results.row("puma", "#{label}, #{depth} deep")&.objects }
        return unless shallow && deep

        goal("puma", "additional objects of #{label}, 200 deep,", :at_most, 0, (deep - shallow).round)
      end

      def traffic_goals(name)
        subject = @results.subject(name)
        return [] unless subject.wire

        rows = @results.rows(subject).reject { |row| row.traffic.runs.zero? }
        [["socket errors", :errors], ["connections that were not kept alive", :broken]].map do |text, count|
          goal(name, text, :at_most, 0, (rows.sum { |row| row.traffic.public_send(count) } if rows.any?))
        end
      end

      def goal(name, text, sense, bound, value)
        Bench::Goal.new(subject: name, text: text, sense: sense, bound: bound, value: value, judged: @judged)
      end
    end
  end
end
