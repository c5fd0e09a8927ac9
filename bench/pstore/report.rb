# frozen_string_literal: true

require_relative "results"
require_relative "../support/report"

module Frugal
  module PStoreBench
    # The report as Markdown, chart and JSON.
    class Report < Bench::Report
      # The first case that was measured is used for the verdict.
      HEADLINES = ["changed", "durable", *Cases::NAMES].freeze
      WRITES = 50_000
      CHART = "The cost of a transaction of a store"
      # Plot => action => the text that the name of its line has after the name of the rival.
      PLOTS = { "read" => { "read" => ", warm", "new" => ", new object", "cold" => ", cold" },
                "change" => { "change" => "", "resize" => ", other size" } }.freeze
      LEGEND = <<~TEXT.chomp
        Each rival is a separate process that lives as long as the benchmark; each round measures every rival once. A round has as many
        transactions as take about 50 ms, but at least one. Times are of one transaction, as medians of the rounds. "/ ours" is the time of
        the rival divided by that of the first row, as the median of the ratios by round. "50,000 take" is the median times 50,000. "calls"
        are the system calls on files of one transaction, counted by strace in a separate run; "syncs" are those that wait for the disk
        (fsync, fdatasync). read-only to durable: a session of seven roots in 250 bytes. "frugal, pstore" is the drop-in with that PStore; its
        ultra_safe syncs, stock's does not. "a dump, a write and a sync alone" is not a store: it takes no lock and may leave a partly written
        file. strings, hashes, shared: "warm" is a transaction of an object that has had some before; "new object" includes the creation of
        the object and is its first transaction; "cold" is the same after the file's time has changed, although the file is still in
        memory. A rival that has taken five seconds skips the remaining rounds, as the column "rounds" shows: with a million roots, the
        median of stock is of one transaction.
      TEXT
      SMALL = [
        ["time", ->(row) { duration(row.median) }], ["min – max", ->(row) { range(row[:time]) }],
        ["/ ours", ->(row) { ratio(@results.times(row, @results.ours(row.subject))) }],
        ["50,000 take", ->(row) { duration(row.median * WRITES) }], ["calls", ->(row) { row.cost&.total }],
        ["syncs", :syncs.to_proc], ["names of the calls", ->(row) { row.cost&.names }]
      ].freeze
      # Of the rows of one rival and size.
      GROWTH = [
        *Cases::ACTIONS.map { |action, title| [title, ->(same) { same.row(action)&.then { |row| cell(row) } }] },
        ["rounds", ->(same) { same.rows.map(&:rounds).minmax.uniq.join("–") }]
      ].freeze
      # The rows of one rival with stores of one size, by action.
      Same = Struct.new(:label, :rows) do
        def row(action) = rows.find { |row| row.subject.action == action }
      end
      private_constant :Same

      private

      def verdict
        name = HEADLINES.find { |headline| @results.subject(headline) }
        subject = @results.of(name).last
        ours, theirs = [@results.ours(subject), @results.stock(subject)]
        return "nothing was measured" unless ours&.median && theirs&.median

        before, after = [theirs, ours].map { |row| "#{row.label} #{duration(row.median)}" }
        "#{subject}: #{before} → #{after}, #{ratio(@results.times(theirs, ours))}; #{sum_of_goals}"
      end

      def sections
        @results.names.map do |name|
          subject = @results.subject(name)
          section(name, subject.title, *(subject.growth? ? growth(name) : table(SMALL, @results.rows(subject))))
        end
      end

      # A table with a row for each rival and size and a column for each action. The cells of
      # frugal also have the ratio stock ÷ frugal.
      def growth(name)
        rows = @results.of(name).flat_map { |subject| @results.rows(subject) }
        same = rows.group_by { |row| [row.subject.roots, row.label] }.map { |(roots, label), all| Same.new("#{count(roots)}: #{label}", all) }
        table(GROWTH, same)
      end

      def cell(row)
        return "dies: #{row.death}" if row.death

        stock = @results.stock(row.subject)
        [duration(row.median), *(ratio(@results.times(stock, row)) unless row.equal?(stock))].join(", ")
      end

      # Bars for the small store, lines for the growing stores: the cost of reading, and the cost of changing.
      def panels(chart)
        small, growing = @results.subjects.partition { |subject| !subject.growth? }
        small.each { |subject| bars(chart, "#{subject.name}: #{subject.title}", @results.rows(subject)) }
        growing.map(&:name).uniq.product(PLOTS.keys) do |name, verb|
          plot(chart, "#{name}: #{verb} one root", "roots of the store", lines(name, PLOTS[verb]))
        end
      end

      def lines(name, actions)
        rows = @results.of(name).flat_map { |subject| @results.rows(subject) }
                       .select { |row| actions.key?(row.subject.action) && row.median }
        rows.group_by { |row| "#{row.label}#{actions[row.subject.action]}" }
            .map { |line, found| [line, found.map { |row| [row.subject.roots, row.median] }] }
      end
    end
  end
end
