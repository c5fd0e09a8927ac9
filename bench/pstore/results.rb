# frozen_string_literal: true

require_relative "cases"
require_relative "../support/goal"
require_relative "../support/marked_calls"
require_relative "../support/series"

module Frugal
  module PStoreBench
    # What one rival did with one subject: seconds of a transaction by round, of
    # so many +transactions+ each. +spent+ is all seconds that it took, +bill+ what
    # one asks of the kernel, +death+ why the rival gave up, if it did.
    Row = Struct.new(:subject, :side, :series, :transactions, :spent, :bill, :death, keyword_init: true) do
      def label = side.label

      def median = series.median

      def rounds = series.times.compact.size

      # @return [Numeric, nil] calls that wait for the disk
      def syncs = bill&.calls&.values_at("fsync", "fdatasync")&.compact&.sum
    end

    # Rows by subject, and what follows from them.
    class Results
      NEWEST = "pstore 0.3.0"
      OURS = "frugal, #{NEWEST}"
      SQLITE = "Frugal::Store, :sqlite"
      # Case, roots (0: the small store), action, our rival, how often ours fits into the newest stock at least.
      SMALL_TIMES = [["read-only", OURS, 10.0], ["unchanged", OURS, 6.0], ["changed", OURS, 4.0], ["durable", "Frugal::Store, :durable", 1.3]].freeze
      SMALL_COUNTS = [["read-only", OURS, :calls, 1], ["unchanged", OURS, :calls, 3], ["changed", OURS, :calls, 5],
                      ["durable", "Frugal::Store, :durable", :syncs, 1]].freeze
      GROWTH_TIMES = [
        [10_000, "read", OURS, 5_000.0], [10_000, "cold", OURS, 25.0], [10_000, "change", OURS, 100.0], [10_000, "resize", OURS, 20.0],
        [100_000, "read", SQLITE, 10_000.0], [100_000, "change", SQLITE, 5_000.0],
        [1_000_000, "read", SQLITE, 100_000.0], [1_000_000, "change", SQLITE, 50_000.0]
      ].freeze

      # @param quick [Boolean] sizes that no target was set for
      def initialize(quick:)
        @quick = quick
        @rows = {}
      end

      # @param subject [Subject]
      # @return [Array<Row>] of its sides
      def add(subject)
        @rows[subject] = subject.sides.map do |side|
          Row.new(subject: subject, side: side, series: Bench::Series.new(side.label), spent: 0.0)
        end
      end

      # Nothing is here to measure.
      def remove(row) = @rows[row.subject].delete(row)

      # @return [Array<Subject>] in the order of the runs
      def subjects = @rows.keys

      # @return [Array<String>] of cases
      def names = Cases::NAMES & subjects.map(&:name)

      # @return [Array<Subject>] of one case
      def of(name) = subjects.select { |subject| subject.name == name }

      # @return [Array<Row>]
      def rows(subject) = @rows.fetch(subject, [])

      # @return [Array<Row>]
      def all_rows = @rows.values.flatten

      # @return [Row, nil]
      def row(subject, label) = rows(subject).find { |row| row.label == label }

      # @return [Row, nil] the first that ended, mostly ours; the others are measured against it
      def ours(subject) = rows(subject).find(&:median)

      # @return [Row, nil] what ours is measured against first of all
      def stock(subject) = rows(subject).reverse.find { |row| row.label.start_with?("pstore") }

      # @return [Float, nil] how often +part+ fits into +whole+
      def times(whole, part) = (part.series.against(whole.series)&.median if whole && part)

      # @param name [String, nil] of a case; nil: all
      # @return [Array<Bench::Goal>]
      def goals(name = nil)
        return names.flat_map { |one| goals(one) } unless name

        return small_goals(of(name).first) unless of(name).first.growth?

        name == "shared" ? [] : growth_goals(name)
      end

      # @return [Hash] for programs; times are seconds of one transaction
      def to_h
        measured = all_rows.map do |row|
          { case: row.subject.name, roots: (row.subject.roots if row.subject.growth?), action: row.subject.action, rival: row.label,
            transactions: row.transactions, wall: row.series.times.map { |time| time&.round(10) },
            calls: row.bill&.calls, dies: row.death }.compact
        end
        { rows: measured, targets: goals.map(&:to_h) }
      end

      private

      def small_goals(subject)
        times = SMALL_TIMES.select { |name,| name == subject.name }.map { |_, ours, bound| time_goal(subject, "", ours, bound) }
        counts = SMALL_COUNTS.select { |name,| name == subject.name }.map do |_, ours, what, bound|
          count = what == :syncs ? row(subject, ours)&.syncs : row(subject, ours)&.bill&.total
          Bench::Goal.new(subject: subject.name, text: "#{what} of #{ours}", sense: :at_most, bound: bound, value: count, judged: !@quick)
        end
        times + counts
      end

      # Quick sizes have none of these, and say so.
      def growth_goals(name)
        GROWTH_TIMES.filter_map do |roots, action, ours, bound|
          subject = of(name).find { |one| one.roots == roots && one.action == action } || (next unless @quick)
          time_goal(subject, "#{Compare::Units.count(roots)} roots, #{Cases::ACTIONS.fetch(action)}, ", ours, bound, name: name)
        end
      end

      def time_goal(subject, words, ours, bound, name: subject.name)
        theirs = stock(subject) if subject
        Bench::Goal.new(subject: name, text: "#{words}#{theirs&.label || NEWEST} / #{ours}", sense: :at_least, bound: bound,
                        value: (times(theirs, row(subject, ours)) if subject), judged: !@quick)
      end
    end
  end
end
