# frozen_string_literal: true

require_relative "row"
require_relative "targets"

module Frugal
  module RakeBench
    # The rows of each case, with ratios and targets.
    class Results < Bench::Results
      # Seconds. A smaller difference to the boot of an empty Rakefile is noise and counts as
      # this value, so that a ratio is too low rather than too high.
      MIN_ABOVE_BOOT = 0.005

      # @return [Rival] the baseline
      attr_reader :installed

      # @param quick [Boolean] whether the sizes are those of --quick, for which there are no targets
      def initialize(installed, quick:)
        super(quick: quick)
        @installed = installed
      end

      # @return [Row, nil] the rival with which the others are compared
      def baseline(name) = row(name, installed.label)

      # @return [Row, nil] the same Rake as `row`, without frugal
      def stock(name, row) = row(name, row.rival.stock)

      # @return [Row, nil] the installed Rake, under `frugal run`
      def frugal(name) = rows(subject(name)).find { |row| row.rival.stock == installed.label }

      # @return [Boolean] whether the times of the case include the boot of Ruby
      def boots?(name) = name != "boot" && rows(subject(name)).any? { |row| row[:cpu].times.any? }

      # @return [Compare::Statistics::Ratio, nil] of the times minus the boot; nil if stock
      #   does nothing but boot
      def above_boot(name, row)
        before = stock(name, row)
        boots = [before, row].map { |side| row("boot", side.label)&.median }
        pairs = before[:time].times.zip(row[:time].times).select(&:all?)
        return if pairs.empty? || !boots.all? || before.median - boots.first < MIN_ABOVE_BOOT

        net = pairs.map { |pair| pair.zip(boots).map { |wall, boot| [wall - boot, MIN_ABOVE_BOOT].max } }
        Compare::Statistics.ratio(*net.transpose)
      end

      private

      def goals_of(name)
        TARGETS.select { |subject,| subject == name }.flat_map do |_, measure, sense, bound, jruby|
          judged(name, measure, jruby).map { |row| judge(row, measure, sense, bound) }
        end
      end

      # The rows that are compared with a target: for exceptions all versions of Rake, for all
      # other measures only the installed one.
      def judged(name, measure, jruby)
        found = rows(subject(name)).select { |row| row.rival.frugal? && row.rival.jruby.nil? == !jruby }
        jruby || measure == :exceptions ? found : [frugal(name)].compact
      end

      def judge(row, measure, sense, bound)
        name = row.subject.name
        value = measured(measure, name, row) unless row.death
        Goal.new(subject: name, text: measure, sense: sense, bound: bound, value: value, judged: !@quick).tap do |goal|
          goal.on = row.label
          stock = stock(name, row)
          goal.fault = "short: it dies of #{row.death}" if row.death
          goal.fault ||= "not measured, stock dies of #{stock.death}" if value.nil? && stock&.death
        end
      end

      def content = by_case

      # @return [Numeric, nil]
      def measured(measure, name, row)
        case measure
        when :speedup then times(stock(name, row), row)
        when :above_boot then above_boot(name, row)&.median
        when :build, :after_boot, :whole then row.phase(measure).against(stock(name, row).phase(measure))&.median
        when :wall then row.median
        when :stat_calls then row.stat_calls&.total
        when :stat_calls_per_path then row.stat_calls&.per_path
        when :own_unchanged then against_unchanged(row)
        when :exceptions then exceptions(row)
        end
      end

      def against_unchanged(row)
        unchanged = row("p50000", row.label)&.median
        row.median / unchanged if unchanged
      end

      # Subtracts the exceptions that Ruby and Rake raise while they boot.
      def exceptions(row)
        boot = row("boot", row.label)&.exceptions
        row.exceptions - boot if row.exceptions && boot
      end
    end
  end
end
