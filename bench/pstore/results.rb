# frozen_string_literal: true

require_relative "cases"
require_relative "../support/goal"
require_relative "../support/cost"
require_relative "../support/series"
require_relative "../support/subject_rows"

module Frugal
  module PStoreBench
    # The measurements of one rival with one subject: seconds of a transaction by round, with
    # the number of `transactions` in a round. `spent` are the seconds of all rounds, `cost`
    # the system calls of one transaction, `death` the reason if the rival failed.
    Row = Struct.new(:subject, :side, :series, :transactions, :spent, :cost, :death, keyword_init: true) do
      def label = side.label

      def median = series.median

      def rounds = series.times.compact.size

      # @return [Numeric, nil] number of calls that wait for the disk
      def syncs = cost&.calls&.values_at("fsync", "fdatasync")&.compact&.sum
    end

    # The rows of each subject, with ratios and targets.
    class Results
      include Bench::SubjectRows

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

      # @param quick [Boolean] whether the sizes are those of --quick, for which there are no targets
      def initialize(quick:)
        @quick = quick
        @rows = {}
      end

      # @param subject [Subject]
      # @return [Array<Row>] one for each side
      def add(subject)
        @rows[subject] = subject.sides.map do |side|
          Row.new(subject: subject, side: side, series: Bench::Series.new(side.label), spent: 0.0)
        end
      end

      # @return [Array<String>] names of the cases
      def names = Cases::NAMES & subjects.map(&:name)

      # @return [Array<Row>]
      def all_rows = @rows.values.flatten

      # @return [Row, nil] the first row that did not fail, usually frugal's; the others are compared with it
      def ours(subject) = rows(subject).find(&:median)

      # @return [Row, nil] the newest stock, with which frugal is compared
      def stock(subject) = rows(subject).reverse.find { |row| row.label.start_with?("pstore") }

      # @return [Float, nil] whole ÷ part
      def times(whole, part) = (part.series.against(whole.series)&.median if whole && part)

      # @param name [String, nil] of a case; nil: all
      # @return [Array<Bench::Goal>]
      def goals(name = nil)
        return names.flat_map { |one| goals(one) } unless name

        return small_goals(of(name).first) unless of(name).first.growth?

        name == "shared" ? [] : growth_goals(name)
      end

      # @return [Hash] for the JSON; times are seconds of one transaction
      def to_h
        measured = all_rows.map do |row|
          { case: row.subject.name, roots: (row.subject.roots if row.subject.growth?), action: row.subject.action,
            rival: row.label, transactions: row.transactions, wall: row.series.times.map { |time| time&.round(10) },
            calls: row.cost&.calls, dies: row.death }.compact
        end
        { rows: measured, targets: goals.map(&:to_h) }
      end

      private

      def small_goals(subject)
        times = SMALL_TIMES.select { |name,| name == subject.name }
                           .map { |_, ours, bound| time_goal(subject, "", ours, bound) }
        counts = SMALL_COUNTS.select { |name,| name == subject.name }.map do |_, ours, measure, bound|
          count = measure == :syncs ? row(subject, ours)&.syncs : row(subject, ours)&.cost&.total
          Bench::Goal.new(subject: subject.name, text: "#{measure} of #{ours}", sense: :at_most, bound: bound, value: count,
                          judged: !@quick)
        end
        times + counts + jruby_goals(subject)
      end

      # @return [Array<Bench::Goal>] none where JRuby is not installed
      def jruby_goals(subject)
        stock, ours = [NEWEST, OURS].map { |label| row(subject, "JRuby, #{label}") }
        return [] unless ours

        JRUBY_TIMES.select { |name,| name == subject.name }.map do |name, bound|
          Bench::Goal.new(subject: name, text: "#{stock.label} / #{ours.label}", sense: :at_least, bound: bound,
                          value: times(stock, ours), judged: !@quick)
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
        Bench::Goal.new(subject: name, text: "#{prefix}#{theirs&.label || NEWEST} / #{ours}", sense: :at_least,
                        bound: bound, value: (times(theirs, row(subject, ours)) if subject), judged: !@quick)
      end
    end
  end
end
