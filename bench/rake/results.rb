# frozen_string_literal: true

require_relative "row"
require_relative "targets"

module Frugal
  module RakeBench
    # A target and the measured value; `value` is nil if nothing could be measured.
    Judgement = Struct.new(:target, :on, :value, :verdict, keyword_init: true) do
      def to_h = { case: target.subject, on: on, target: target.to_s, value: value&.round(4), verdict: verdict }

      # @return [String] such as "target ≥6×: 6.2× met"
      def to_s
        measured = value ? "#{Target.unit(target.measure, value)} " : ""
        "target #{target}: #{measured}#{verdict} (#{on})"
      end
    end

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

      # @return [Array<Judgement>]
      def goals_of(name)
        Target::ALL.select { |target| target.subject == name }.flat_map { |target| judged(target).map { |row| judge(target, row) } }
      end

      def content = { cases: @table.to_h { |subject, rows| [subject.name, { title: subject.title, rivals: rows.map(&:to_h) }] } }

      # The rows that are compared with a target: for exceptions all versions of Rake, for all
      # other measures only the installed one.
      def judged(target)
        found = rows(subject(target.subject)).select { |row| row.rival.frugal? && row.rival.jruby.nil? == !target.jruby }
        return found if target.jruby || target.measure == :exceptions

        [frugal(target.subject)].compact
      end

      def judge(target, row)
        value = row.death ? nil : measured(target.measure, target.subject, row)
        Judgement.new(target: target, on: row.label, value: value, verdict: verdict(target, row, value))
      end

      def verdict(target, row, value)
        return "short: it dies of #{row.death}" if row.death
        return not_measured(stock(target.subject, row)) unless value
        return "not judged (quick sizes)" if @quick

        target.met?(value) ? "met" : "short"
      end

      def not_measured(stock)
        stock&.death ? "not measured, stock dies of #{stock.death}" : "not measured"
      end

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
