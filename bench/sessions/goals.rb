# frozen_string_literal: true

require_relative "../support/goal"

module Frugal
  module SessionsBench
    # The targets of frugal for sessions and caches. A ratio is whole ÷ part.
    class Goals
      # Action, minimum of PStore ÷ frugal's files, maximum of calls.
      STORE = [["unchanged", 2.0, 5], ["changed", 1.3, 8]].freeze
      GROWTH = 1.2
      APPLICATION = 1.0
      # Action, minimum of FileStore ÷ FrugalStore.
      CACHE = [["overwrite", 5.0], ["hit", 1.7]].freeze

      # @param results [Results]
      # @param judged [Boolean] false for quick sizes
      def initialize(results, judged:)
        @results = results
        @judged = judged
      end

      # @param name [String] of a case
      # @return [Array<Bench::Goal>]
      def of(name)
        case name
        when "store" then store
        when "growth" then growth
        when "cache" then cache
        else application(name)
        end
      end

      private

      def store
        STORE.flat_map do |action, bound, calls|
          ours, stock = [Cases::FILES, Cases::PSTORE].map { |label| @results.find("store", action, label) }
          [goal("store", "#{action}, PStore / #{Cases::FILES}", :at_least, bound, @results.times(stock, ours)),
           goal("store", "calls of #{Cases::FILES}, #{action}", :at_most, calls, ours&.cost&.total),
           (goal("store", "writes of #{Cases::FILES}, unchanged", :at_most, 0, writes(ours)) if action == "unchanged")].compact
        end
      end

      def writes(row) = row&.cost&.calls&.sum { |call, count| call.include?("write") ? count : 0 }

      # The largest number of sessions against the smallest.
      def growth
        sizes = @results.of("growth").map(&:sessions).minmax
        Cases::ACTIONS.fetch("growth").map do |action|
          small, large = sizes.map { |size| @results.find("growth", action, Cases::FILES, size) }
          counts = sizes.map { |size| Readable.count(size) }
          goal("growth", "#{Cases::FILES}, #{action}, #{counts[1]} / #{counts[0]} sessions", :at_most, GROWTH,
               @results.times(large, small))
        end
      end

      def application(name)
        @results.of(name).map do |subject|
          ours, cookies = [Cases::FILES, Cases::COOKIES].map { |label| @results.row(subject, label) }
          goal(name, "#{Readable.count(subject.sessions)} sessions, #{subject.action}, processor time of " \
                     "#{Cases::COOKIES} / #{Cases::FILES}", :at_least, APPLICATION, @results.times(cookies, ours))
        end
      end

      def cache
        times = CACHE.map do |action, bound|
          ours, stock = %w[frugal FileStore].map { |label| @results.find("cache", action, label) }
          goal("cache", "#{action}, FileStore / frugal", :at_least, bound, @results.times(stock, ours))
        end
        cost = @results.find("cache", "miss", "frugal")&.cost
        times + [goal("cache", "calls of a miss of frugal", :at_most, 1, cost&.total),
                 goal("cache", "exceptions of a miss of frugal", :at_most, 0, cost&.exceptions)]
      end

      def goal(name, text, sense, bound, value)
        Bench::Goal.new(subject: name, text: text, sense: sense, bound: bound, value: value, judged: @judged)
      end
    end
  end
end
