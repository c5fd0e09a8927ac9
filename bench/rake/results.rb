# frozen_string_literal: true

require_relative "targets"

module Frugal
  module RakeBench
    # A target and what was measured; +value+ is nil where nothing could be.
    Judgement = Struct.new(:target, :on, :value, :verdict, keyword_init: true) do
      # @return [String] such as "target ≥6×: 6.2× met"
      def to_s
        measured = value ? "#{Target.unit(target.measure, value)} " : ""
        "target #{target}: #{measured}#{verdict} (#{on})"
      end
    end

    # Rows by case, and what follows from them.
    class Results
      # Seconds. A difference to the boot of an empty Rakefile below it is noise
      # and counts as this much: a ratio is then too low rather than too high.
      LEAST = 0.005

      # @param installed [Rival] the baseline
      # @param quick [Boolean] sizes that no target was set for
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

      # @return [Row, nil] the rival that others are measured against
      def baseline(name) = row(name, installed.label)

      # @return [Row, nil] the one that +row+ accelerates
      def stock(name, row) = row(name, row.rival.stock)

      # @return [Row, nil] the installed Rake, accelerated
      def frugal(name) = rows(name).find { |row| row.rival.stock == installed.label }

      # @return [Boolean] whether its times hold Ruby's boot, beside what they are about
      def boots?(name) = name != "boot" && rows(name).any? { |row| row.cpus.any? }

      # @param name [String] of a case
      # @return [Array<Judgement>]
      def judgements(name = nil)
        Target::ALL.select { |target| name ? target.subject == name : @rows.key?(target.subject) }
                   .flat_map { |target| judged(target).map { |row| judge(target, row) } }
      end

      # @return [Compare::Statistics::Ratio, nil] with both boots taken off; nil
      #   where stock does no more than boot
      def above_boot(name, row)
        before = stock(name, row)
        boots = [before, row].map { |side| row("boot", side.label)&.median }
        pairs = before.walls.zip(row.walls).select(&:all?)
        return if pairs.empty? || !boots.all? || before.median - boots.first < LEAST

        net = pairs.map { |pair| pair.zip(boots).map { |wall, boot| [wall - boot, LEAST].max } }
        Compare::Statistics.ratio(*net.transpose)
      end

      private

      def row(name, label) = rows(name).find { |row| row.label == label }

      # Exceptions are a matter of the Rake version; the rest was set for one.
      def judged(target)
        return rows(target.subject).select { |row| row.rival.frugal? } if target.measure == :exceptions

        [frugal(target.subject)].compact
      end

      def judge(target, row)
        value = row.death ? nil : measured(target.measure, target.subject, row)
        Judgement.new(target: target, on: row.label, value: value, verdict: verdict(target, row, value))
      end

      def verdict(target, row, value)
        return "short: it dies of #{row.death}" if row.death
        return "not measured#{", stock dies of #{stock(target.subject, row).death}" if stock(target.subject, row)&.death}" unless value
        return "not judged, these are quick sizes" if @quick

        target.met?(value) ? "met" : "short"
      end

      # @return [Numeric, nil]
      def measured(measure, name, row)
        case measure
        when :speedup then row.against(stock(name, row))&.median
        when :above_boot then above_boot(name, row)&.median
        when :wall then row.median
        when :asks then row.asks&.total
        when :asks_per_path then row.asks&.per_path
        when :own_unchanged then row("p50000", row.label)&.median&.then { |unchanged| row.median / unchanged }
        when :exceptions then exceptions(row)
        end
      end

      # Ruby and Rake raise some while they boot.
      def exceptions(row)
        boot = row("boot", row.label)&.exceptions
        row.exceptions - boot if row.exceptions && boot
      end
    end
  end
end
