# frozen_string_literal: true

require_relative "goal"
require_relative "series"

module Frugal
  module Bench
    # The measurements of one rival with one subject: a {Series} for each kind of sample, the `cost` in system calls,
    # and `death`: the reason if the rival failed.
    class Row
      # @return [Object] see {Results}
      attr_reader :subject
      # @return [String] of the rival
      attr_reader :label
      # @return [Cost, nil]
      attr_accessor :cost
      # @return [String, nil]
      attr_accessor :death

      # @param kinds [Array<Symbol>] of samples
      def initialize(subject, label, *kinds)
        @subject = subject
        @label = label
        @series = kinds.to_h { |kind| [kind, Series.new] }
      end

      # @return [Series]
      def [](kind) = @series.fetch(kind)

      # @return [Float, nil]
      def median(kind = :time) = self[kind].median

      # @return [Integer] rounds that were not skipped
      def rounds(kind = :time) = self[kind].measured.size

      # @return [Hash] for the JSON
      def to_h = { case: subject.name, rival: label, **@series.transform_values(&:times), dies: death }.compact

      # @return [String] in notes
      def name = "#{subject.name}, #{label}"
    end

    # The rows of all subjects in the order of the runs, with ratios and targets. The results of a benchmark define
    # `goals_of` a case, and `content` of the JSON if rows alone are not all of it.
    #
    # A subject has the `name` of its case, a `title`, and a text for messages.
    class Results
      # @param quick [Boolean] whether the sizes are those of --quick, for which there are no targets
      def initialize(quick: false)
        @quick = quick
        @table = {} # subject → rows
      end

      # @return [Array<Row>]
      def add(subject, rows) = @table[subject] = rows

      # Removes a row that cannot be measured here.
      def remove(row) = @table[row.subject].delete(row)

      # @return [Array<Object>]
      def subjects = @table.keys

      # @return [Array<String>] of the cases
      def names = subjects.map(&:name).uniq

      # @return [Array<Object>] the subjects of a case
      def of(name) = subjects.select { |subject| subject.name == name }

      # @return [Object, nil] the only subject of a case
      def subject(name) = of(name).first

      # @return [Array<Row>] of a subject; of all if none is given; none for nil
      def rows(*subject) = subject.empty? ? @table.values.flatten : @table.fetch(subject.first, [])

      # @param subject [Object, String] a subject, or the name of a case that has only one
      # @return [Row, nil]
      def row(subject, label)
        rows(subject.is_a?(String) ? subject(subject) : subject).find { |row| row.label == label }
      end

      # @return [Float, nil] whole ÷ part: the median of the ratios by round
      def times(whole, part, kind = :time) = (part[kind].against(whole[kind])&.median if whole && part)

      # @param name [String, nil] of a case; nil: all
      # @return [Array<Goal>]
      def goals(name = nil) = name ? goals_of(name) : names.flat_map { |one| goals_of(one) }

      # @return [Hash] for the JSON; times are seconds
      def to_h = { **content, targets: goals.map(&:to_h) }.compact

      private

      def content = { rows: rows.map(&:to_h) }

      # Another `content`, of cases with one subject.
      def by_case
        { cases: @table.to_h { |subject, rows| [subject.name, { title: subject.title, rivals: rows.map(&:to_h) }] } }
      end

      # @param judged [Boolean] false for the sizes of --quick, which mean nothing
      def goal(subject, text, sense, bound, value, judged: !@quick)
        Goal.new(subject: subject, text: text, sense: sense, bound: bound, value: value, judged: judged)
      end
    end
  end
end
