# frozen_string_literal: true

require_relative "targets"

module Frugal
  module RakeBench
    # A target and the measured value; `value` is nil if nothing could be measured.
    Judgement = Struct.new(:target, :on, :value, :verdict, keyword_init: true) do
      # @return [String] such as "target ≥6×: 6.2× met"
      def to_s
        measured = value ? "#{Target.unit(target.measure, value)} " : ""
        "target #{target}: #{measured}#{verdict} (#{on})"
      end
    end

    # The rows of each case, with ratios and targets.
    class Results
      # Seconds. A smaller difference to the boot of an empty Rakefile is noise and counts as
      # this value, so that a ratio is too low rather than too high.
      MIN_ABOVE_BOOT = 0.005

      # @param installed [Rival] the baseline
      # @param quick [Boolean] whether the sizes are those of --quick, for which there are no targets
      def initialize(installed, quick:)
        @installed = installed
        @quick = quick
        @rows = {}
        @titles = {}
      end

      attr_reader :installed

      # @return [Array<String>] in the order of the runs
      def names = @rows.keys

      def title(name) = @titles.fetch(name)

      # @return [Array<Row>]
      def rows(name) = @rows.fetch(name, [])

      def add(name, title, rows)
        @titles[name] = title
        @rows[name] = rows
      end

      # @return [Row, nil] the rival with which the others are compared
      def baseline(name) = row(name, installed.label)

      # @return [Row, nil] the same Rake as `row`, without frugal
      def stock(name, row) = row(name, row.rival.stock)

      # @return [Row, nil] the installed Rake, under `frugal run`
      def frugal(name) = rows(name).find { |row| row.rival.stock == installed.label }

      # @return [Boolean] whether the times of the case include the boot of Ruby
      def boots?(name) = name != "boot" && rows(name).any? { |row| row.cpus.any? }

      # @param name [String] of a case
      # @return [Array<Judgement>]
      def judgements(name = nil)
        Target::ALL.select { |target| name ? target.subject == name : @rows.key?(target.subject) }
                   .flat_map { |target| judged(target).map { |row| judge(target, row) } }
      end

      # @return [Compare::Statistics::Ratio, nil] of the times minus the boot; nil if stock
      #   does nothing but boot
      def above_boot(name, row)
        before = stock(name, row)
        boots = [before, row].map { |side| row("boot", side.label)&.median }
        pairs = before.walls.zip(row.walls).select(&:all?)
        return if pairs.empty? || !boots.all? || before.median - boots.first < MIN_ABOVE_BOOT

        net = pairs.map { |pair| pair.zip(boots).map { |wall, boot| [wall - boot, MIN_ABOVE_BOOT].max } }
        Compare::Statistics.ratio(*net.transpose)
      end

      private

      def row(name, label) = rows(name).find { |row| row.label == label }

      # The rows that are compared with a target: for exceptions all versions of Rake, for all
      # other measures only the installed one.
      def judged(target)
        found = rows(target.subject).select { |row| row.rival.frugal? && row.rival.jruby.nil? == !target.jruby }
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
        when :speedup then row.against(stock(name, row))&.median
        when :above_boot then above_boot(name, row)&.median
        when :build, :after_boot, :whole then row.phase_against(stock(name, row), measure)&.median
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
