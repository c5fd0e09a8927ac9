# frozen_string_literal: true

require_relative "cases"
require_relative "../support/results"

module Frugal
  module SessionsBench
    # The measurements of one rival with one subject. By round: seconds of one visit, call or request (`time`), which is
    # processor time for an application and wall time elsewhere; requests per second (`rates`); seconds of processor
    # time of the Redis server for a request (`server`).
    class Row < Bench::Row
      def initialize(subject, label) = super(subject, label, :time, :rates, :server)

      def to_h
        application = subject.application?
        { case: subject.name, sessions: subject.sessions, action: subject.action, rival: label,
          (application ? :cpu : :wall) => self[:time].rounded(10), rates: (self[:rates].rounded(1) if application),
          redis_cpu: (self[:server].rounded(10) if median(:server)&.positive?),
          calls: cost&.calls, exceptions: cost&.exceptions, dies: death }.compact
      end
    end

    # The rows of each subject, with ratios and targets. A ratio is whole ÷ part.
    class Results < Bench::Results
      # Action, minimum of PStore ÷ frugal's files, maximum of calls.
      STORE = [["unchanged", 2.0, 5], ["changed", 1.3, 8]].freeze
      GROWTH = 1.2
      APPLICATION = 1.0
      # Action, minimum of FileStore ÷ FrugalStore.
      CACHE = [["overwrite", 5.0], ["hit", 1.7]].freeze

      # @return [Hash{Array(String, Integer) => Float}] label and number of sessions => seconds to make one
      def fills = @fills ||= {}

      private

      def goals_of(name)
        case name
        when "store" then store
        when "growth" then growth
        when "cache" then cache
        else application(name)
        end
      end

      def store
        STORE.flat_map do |action, bound, calls|
          ours, stock = [Cases::FILES, Cases::PSTORE].map { |label| find("store", action, label) }
          unchanged = action == "unchanged"
          [goal("store", "#{action}, PStore / #{Cases::FILES}", :at_least, bound, times(stock, ours)),
           goal("store", "calls of #{Cases::FILES}, #{action}", :at_most, calls, ours&.cost&.total),
           (goal("store", "writes of #{Cases::FILES}, #{action}", :at_most, 0, writes(ours)) if unchanged)].compact
        end
      end

      def writes(row) = row&.cost&.calls&.sum { |call, count| call.include?("write") ? count : 0 }

      # The largest number of sessions against the smallest.
      def growth
        sizes = of("growth").map(&:sessions).minmax
        Cases::ACTIONS.fetch("growth").map do |action|
          small, large = sizes.map { |size| find("growth", action, Cases::FILES, size) }
          counts = sizes.map { |size| Readable.count(size) }
          goal("growth", "#{Cases::FILES}, #{action}, #{counts[1]} / #{counts[0]} sessions", :at_most, GROWTH,
               times(large, small))
        end
      end

      def application(name)
        of(name).map do |subject|
          ours, cookies = [Cases::FILES, Cases::COOKIES].map { |label| row(subject, label) }
          goal(name, "#{Readable.count(subject.sessions)} sessions, #{subject.action}, processor time of " \
                     "#{Cases::COOKIES} / #{Cases::FILES}", :at_least, APPLICATION, times(cookies, ours))
        end
      end

      def cache
        times = CACHE.map do |action, bound|
          ours, stock = %w[frugal FileStore].map { |label| find("cache", action, label) }
          goal("cache", "#{action}, FileStore / frugal", :at_least, bound, times(stock, ours))
        end
        cost = find("cache", "miss", "frugal")&.cost
        times + [goal("cache", "calls of a miss of frugal", :at_most, 1, cost&.total),
                 goal("cache", "exceptions of a miss of frugal", :at_most, 0, cost&.exceptions)]
      end

      def find(name, action, label, sessions = nil)
        row(Subject.new(name: name, sessions: sessions, action: action), label)
      end

      def content
        made = fills.map do |(label, sessions), seconds|
          { rival: label, sessions: sessions, seconds: seconds.round(9) }
        end
        { **super, fills: made }
      end
    end
  end
end
