# frozen_string_literal: true

require_relative "results"
require_relative "../support/report"

module Frugal
  module SessionsBench
    # The report as Markdown, chart and JSON.
    class Report < Bench::Report
      CHART = "The cost of sessions"
      LEGEND = <<~TEXT.chomp
        Each round measures every rival of a case for a slice of time; times are medians of the rounds. "PStore" is a PStore for each session, all
        in one directory. store, growth: wall time of one visit in one process: the session is loaded, converted, changed or not, and committed;
        PStore does it in one transaction. "/ this" is the time of the rival in the first row divided by the time of this row, as the
        median of the ratios by round (above 1: this costs less). "calls" are the system calls on files of one visit, counted by strace; Redis'
        are not counted. growth: sessions are visited in an order that comes to all of them, or
        ("100 active") to a hundred that are spread over them. rack, rails: requests of random sessions over
        #{Bench::Wrk::CONNECTIONS} connections (#{Bench::Wrk::COMMAND.join(" ")}), to #{Server::WORKERS} processes of Puma with #{Server::THREADS} threads; "CPU" is the processor time, user and system, of all
        processes of the server for one request, and "Redis" that of the Redis server. PStore loads and saves the session in two
        transactions, and saves it in each request, as in the first versions of Rails. The Pool keeps all sessions in each process, and with
        cookies their number does not matter. cache: wall time of one call.
      TEXT
      APPLICATION = [
        ["CPU", ->(row) { duration(row.median) }], ["/ this", ->(row) { against(row) }],
        ["requests/s", ->(row) { count(row.median(:rates)&.round) }],
        ["Redis", ->(row) { duration(row.median(:server)) if row.median(:server)&.positive? }]
      ].freeze
      STORE = [
        ["time", ->(row) { duration(row.median) }], ["min – max", ->(row) { range(row[:time]) if row.median }],
        ["/ this", ->(row) { against(row) if row.median }]
      ].freeze
      COST = [
        ["calls", ->(row) { row.cost&.total }], ["names of the calls", ->(row) { row.cost&.names }],
        ["exceptions", ->(row) { row.cost&.calls && row.cost.exceptions }]
      ].freeze
      TABLES = { "store" => STORE + COST, "growth" => STORE, "rack" => APPLICATION, "rails" => APPLICATION,
                 "cache" => STORE + COST }.freeze

      private

      # The application if it was measured, otherwise the store.
      def verdict
        subjects = (%w[rack rails store growth cache] & @results.names).map { |name| usual(name).last }
        subject, theirs, ours = subjects.map { |one| [one, *compared(one)] }.find { |_, *rows| rows.all? { |row| row&.median } }
        return "nothing was measured" unless subject

        before, after = [theirs, ours].map { |row| "#{row.label} #{duration(row.median)}" }
        "#{subject}: #{before} → #{after}, #{ratio(@results.times(theirs, ours))}; #{sum_of_goals}"
      end

      # @return [Array<Row, nil>] stock's and ours
      def compared(subject) = [first(subject), @results.rows(subject).find { |row| Bench::Svg.ours?(row.label) }]

      # @return [Row, nil] that with which the others are compared: stock
      def first(subject) = @results.row(subject, subject.name == "cache" ? "FileStore" : Cases::PSTORE)

      def against(row)
        stock = first(row.subject)
        ratio(@results.times(stock, row)) unless stock.equal?(row)
      end

      def usual(name)
        subjects = @results.of(name)
        usual = Cases.usual(subjects.filter_map(&:sessions))
        subjects.select { |subject| subject.sessions == usual }
      end

      def sections
        @results.names.map do |name|
          tables = @results.of(name).group_by(&:action).map do |action, subjects|
            table(TABLES.fetch(name), subjects.flat_map { |subject| @results.rows(subject) }, action) do |row|
              [count(row.subject.sessions), row.label].compact.join(": ")
            end
          end
          section(name, Cases::TITLES.fetch(name), *tables.flat_map { |lines| [*lines, ""] }[..-2])
        end
      end

      def goals(name) = name == "growth" ? [*fills, *super] : super

      # How long it took to make the sessions of growing stores.
      def fills
        (_, sessions), = @results.fills.max_by { |(_, size), _| size }
        return [] unless sessions

        times = @results.fills.select { |(_, size), _| size == sessions }
                        .map { |(label, _), time| "#{label} #{duration(time * sessions)}" }
        ["- #{count(sessions)} sessions were made in: #{times.join(", ")}"]
      end

      # Bars for each case, lines for growing numbers of sessions.
      def panels(chart)
        @results.names.each do |name|
          name == "growth" ? plots(chart, name, "time of a visit") : bars_of(chart, name)
          plots(chart, name, "processor time of a request") if name == "rack"
        end
      end

      def bars_of(chart, name)
        usual(name).each do |subject|
          kind = subject.application? ? "processor time of a request" : "time"
          bars(chart, "#{subject}: #{kind}", @results.rows(subject))
        end
      end

      def plots(chart, name, text)
        @results.of(name).group_by(&:action).each do |action, subjects|
          rows = subjects.flat_map { |subject| @results.rows(subject) }.select(&:median).group_by(&:label)
          lines = rows.map { |label, same| [label, same.map { |row| [row.subject.sessions, row.median] }] }
          plot(chart, "#{name}, #{action}: #{text}", "sessions", lines)
        end
      end
    end
  end
end
