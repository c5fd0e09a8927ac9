# frozen_string_literal: true

require_relative "cases"
require_relative "../support/cost"
require_relative "../support/results"

module Frugal
  module PStoreBench
    # The measurements of one rival with one subject: seconds of a transaction by round.
    class Row < Bench::Row
      # @return [Side]
      attr_reader :side
      # @return [Integer] in a round
      attr_accessor :transactions
      # @return [Float] seconds of all rounds
      attr_accessor :spent

      def initialize(subject, side)
        super(subject, side.label, :time)
        @side = side
        @spent = 0.0
      end

      def name = label

      # @return [Numeric, nil] number of calls that wait for the disk
      def syncs = cost&.calls&.values_at("fsync", "fdatasync")&.compact&.sum

      def to_h
        { case: subject.name, roots: (subject.roots if subject.growth?), action: subject.action, rival: label,
          transactions: transactions, wall: self[:time].rounded(10), calls: cost&.calls, dies: death }.compact
      end
    end

    # The rows of each subject, with ratios and targets.
    class Results < Bench::Results
      NEWEST = "pstore 0.3.0"
      OURS = "frugal, #{NEWEST}"
      SQLITE = "Frugal::Store, :sqlite"
      # Case, row of frugal, minimum of newest stock ÷ frugal.
      SMALL_TIMES = [["read-only", OURS, 10.0], ["unchanged", OURS, 6.0], ["changed", OURS, 4.0],
                     ["durable", "Frugal::Store, :durable", 1.3]].freeze
      # Case, minimum of newest stock ÷ frugal, both under JRuby.
      JRUBY_TIMES = [["read-only", 5.0], ["unchanged", 3.5], ["changed", 2.5]].freeze
      # Case, row of frugal, measure, maximum.
      SMALL_COUNTS = [["read-only", OURS, :calls, 1], ["unchanged", OURS, :calls, 3], ["changed", OURS, :calls, 5],
                      ["durable", "Frugal::Store, :durable", :syncs, 1]].freeze
      # Roots, action, row of frugal, minimum of newest stock ÷ frugal.
      GROWTH_TIMES = [
        [10_000, "read", OURS, 5_000.0], [10_000, "new", OURS, 2_000.0], [10_000, "cold", OURS, 12.0],
        [10_000, "change", OURS, 100.0], [10_000, "resize", OURS, 20.0],
        [100_000, "read", SQLITE, 10_000.0], [100_000, "change", SQLITE, 5_000.0],
        [1_000_000, "read", SQLITE, 100_000.0], [1_000_000, "change", SQLITE, 50_000.0]
      ].freeze

      # @return [Row, nil] the first row that did not fail, usually frugal's; the others are compared with it
      def ours(subject) = rows(subject).find(&:median)

      # @return [Row, nil] the newest stock, with which frugal is compared
      def stock(subject) = rows(subject).reverse.find { |row| row.label.start_with?("pstore") }

      private

      def goals_of(name)
        return small_goals(subject(name)) unless subject(name).growth?

        name == "shared" ? [] : growth_goals(name)
      end

      def small_goals(subject)
        times = SMALL_TIMES.select { |name,| name == subject.name }
                           .map { |_, ours, bound| time_goal(subject, "", ours, bound) }
        counts = SMALL_COUNTS.select { |name,| name == subject.name }.map do |_, ours, measure, bound|
          row = row(subject, ours)
          value = measure == :syncs ? row&.syncs : row&.cost&.total
          goal(subject.name, "#{measure} of #{ours}", :at_most, bound, value)
        end
        times + counts + jruby_goals(subject)
      end

      # @return [Array<Bench::Goal>] none where JRuby is not installed
      def jruby_goals(subject)
        stock, ours = [NEWEST, OURS].map { |label| row(subject, "JRuby, #{label}") }
        return [] unless ours

        JRUBY_TIMES.select { |name,| name == subject.name }.map do |name, bound|
          goal(name, "#{stock.label} / #{ours.label}", :at_least, bound, times(stock, ours))
        end
      end

      # With quick sizes, these targets are listed as not measured.
      def growth_goals(name)
        GROWTH_TIMES.filter_map do |roots, action, ours, bound|
          subject = of(name).find { |one| one.roots == roots && one.action == action } || (next unless @quick)
          prefix = "#{Readable.count(roots)} roots, #{Cases::ACTIONS.fetch(action)}, "
          time_goal(subject, prefix, ours, bound, name: name)
        end
      end

      def time_goal(subject, prefix, ours, bound, name: subject.name)
        theirs = stock(subject) if subject
        value = times(theirs, row(subject, ours)) if subject
        goal(name, "#{prefix}#{theirs&.label || NEWEST} / #{ours}", :at_least, bound, value)
      end
    end
  end
end
