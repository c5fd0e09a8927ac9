# frozen_string_literal: true

require_relative "results"
require_relative "../support/chart"
require_relative "../support/duration"
require_relative "../support/report"

module Frugal
  module SessionsBench
    # The report as Markdown, chart and JSON.
    class Report < Bench::Report
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
      private_constant :LEGEND

      # @return [String] SVG: bars for each case, lines for growing numbers of sessions
      def chart
        chart = Bench::Chart.new("The cost of sessions", "medians; #{@facts[:machine][:cpu]}, #{@facts[:machine][:file_system]}")
        @results.names.each do |name|
          name == "growth" ? plots(chart, name, "time of a visit") : bars(chart, name)
          plots(chart, name, "processor time of a request") if name == "rack"
        end
        chart.to_s
      end

      private

      def legend = LEGEND

      def sections = @results.names.map { |name| section(name) }

      # The application if it was measured, otherwise the store.
      def verdict
        subjects = (%w[rack rails store growth cache] & @results.names).map { |name| usual(name).last }
        subject, theirs, ours = subjects.map { |one| [one, *compared(one)] }.find { |_, *rows| rows.all? { |row| row&.median } }
        return "nothing was measured" unless subject

        before, after = [theirs, ours].map { |row| "#{row.label} #{duration(row.median)}" }
        "#{subject}: #{before} → #{after}, #{Readable.ratio(@results.times(theirs, ours))}; #{Bench::Goal.sum(@results.goals)}"
      end

      # @return [Array<Row, nil>] stock's and ours
      def compared(subject) = [first(subject), @results.rows(subject).find { |row| Bench::Svg.ours?(row.label) }]

      # @return [Row, nil] that with which the others are compared: stock
      def first(subject)
        @results.rows(subject).find { |row| row.label == (subject.name == "cache" ? "FileStore" : Cases::PSTORE) }
      end

      def usual(name)
        subjects = @results.of(name)
        usual = Cases.usual(subjects.filter_map(&:sessions))
        subjects.select { |subject| subject.sessions == usual }
      end

      def section(name)
        tables = @results.of(name).group_by(&:action).flat_map { |action, subjects| [*table(action, subjects), ""] }
        fills = fills(name)
        ["## #{name}: #{Cases::TITLES[name]}", "", *tables, *fills, *@results.goals(name).map { |goal| "- #{goal}" }].join("\n").rstrip
      end

      def table(action, subjects)
        application = subjects.first.application?
        header = [action, *(application ? ["CPU", "/ this", "requests/s", "Redis"] : ["time", "min – max", "/ this"]),
                  *(["calls", "names of the calls", "exceptions"] if counted?(subjects.first))]
        rows = subjects.flat_map { |subject| @results.rows(subject).map { |row| cells(row, header.size) } }
        Bench::Markdown.table([header, *rows])
      end

      def counted?(subject) = %w[store cache].include?(subject.name)

      def cells(row, width)
        label = [(Readable.count(row.subject.sessions) if row.subject.sessions), row.label].compact.join(": ")
        return [label, row.death ? "dies: #{row.death}" : NONE, *[NONE] * (width - 2)] unless row.median

        [label, duration(row.median), *(row.subject.application? ? load(row) : range(row)), *(cost(row) if counted?(row.subject))]
      end

      def load(row)
        [against(row), Readable.count(row.rates.median.round), row.server.median&.positive? ? duration(row.server.median) : NONE]
      end

      def range(row) = [row.time.times.compact.minmax.map { |time| duration(time) }.join(" – "), against(row)]

      def against(row)
        stock = first(row.subject)
        ratio = @results.times(stock, row) unless stock.equal?(row)
        ratio ? Readable.ratio(ratio) : NONE
      end

      def cost(row)
        return [NONE] * 3 unless row.cost&.calls

        [row.cost.total.to_s, row.cost.names, row.cost.exceptions&.to_s || NONE]
      end

      # How long it took to make the sessions of growing stores.
      def fills(name)
        made = @results.fills.max_by { |(_, sessions), _| sessions } if name == "growth"
        return [] unless made

        sessions = made[0][1]
        times = @results.fills.select { |(_, size), _| size == sessions }.map { |(label, _), time| "#{label} #{duration(time * sessions)}" }
        ["- #{Readable.count(sessions)} sessions were made in: #{times.join(", ")}"]
      end

      def bars(chart, name)
        usual(name).each do |subject|
          values = @results.rows(subject).map { |row| [row.label, row.median, row.median ? duration(row.median) : "dies: #{row.death}"] }
          chart.panel("#{subject}: #{subject.application? ? "processor time of a request" : "time"}", values)
        end
      end

      def plots(chart, name, text)
        @results.of(name).group_by(&:action).each do |action, subjects|
          rows = subjects.flat_map { |subject| @results.rows(subject) }.select(&:median).group_by(&:label)
          lines = rows.map { |label, same| [label, same.map { |row| [row.subject.sessions, row.median] }] }
          chart.plot(Bench::Plot.new("#{name}, #{action}: #{text}", "sessions", lines) { |value| duration(value).sub(/\.0+(?= )/, "") })
        end
      end

      def duration(seconds) = Bench::Duration.readable(seconds)
    end
  end
end
