# frozen_string_literal: true

require_relative "results"
require_relative "../support/report"

module Frugal
  module ErrorsBench
    # The report as Markdown, chart and JSON.
    class Report < Bench::Report
      CHART = "The cost of an error response"
      # Case, row of stock, row of frugal: the first case that was measured is used for the verdict.
      HEADLINES = [
        ["puma", "raise, rendered and logged, 0 deep", "Frugal.halt, 0 deep"],
        ["rails", "stock, raise", "frugal, raise"], ["sinatra", "stock, unknown route", "frugal, unknown route"],
        ["files", "File.open and rescue, missing", "Frugal::Files, missing"]
      ].freeze
      # The comparison of exceptions in Puma: none, a new one each time, and one that is raised again and again. Label,
      # row with a trace that is rendered for a log, row without.
      EXCEPTIONS = [
        ["no exception", "200, returned", "200, returned"],
        ["a new exception each time", "raise, rendered and logged, 0 deep", "raise, not rendered"],
        ["one exception, raised again", "raise one again, rendered and logged", "raise one again, not rendered"],
        ["Frugal.halt", nil, "Frugal.halt, 0 deep"]
      ].freeze
      LEGEND = <<~TEXT.chomp
        Times are the processor time of one request: medians of the rounds, each of which measures every way once. "on the wire" is the time
        of the server process, a Puma with default settings, under the load of #{Bench::Wrk::COMMAND.join(" ")}; "in process" is the time of the
        Rack application alone, called in the same process, with its body read and closed. "page / this" is the time of the page of the same
        application divided by the time of this way (above 1: this costs less), as the median of the ratios by round; "stock / this" is the
        same for the same request to stock, on the wire if that was measured. "objects" are the objects that one request creates in process.
        "connections" and "socket errors" are totals of all rounds: wrk opens #{Bench::Wrk::CONNECTIONS + 1} connections per round, and Puma closes
        a connection after #{Traffic::PER_CONNECTION} requests. Logs are written to /dev/null. "0 deep" is the stack of the application with
        20 middlewares; "200 deep" has 200 more frames. "stock" is the framework without frugal; for Puma it has an outermost middleware that
        rescues, renders and logs the exception. "frugal" has the Responder as the innermost middleware, and a returned error is byte for
        byte the error that the Responder answers.
      TEXT
      WIRE = [
        ["on the wire", ->(row) { duration(row.median(:wire)) }], ["page / this", ->(row) { against_page(row, :wire) }],
        ["requests/s", ->(row) { count(row.median(:rates)&.round) }]
      ].freeze
      INSIDE = [
        ["in process", ->(row) { duration(row.median(:inside)) }],
        ["page / this", ->(row) { against_page(row, :inside) }],
        ["objects", ->(row) { count(row.objects&.round) }]
      ].freeze
      STOCK = [["stock / this", ->(row) { ratio(@results.times(@results.stock(row), row, row.kind)) }]].freeze
      TRAFFIC = [
        ["connections", ->(row) { count(row.traffic.connections) if row.traffic.runs.positive? }],
        ["socket errors", ->(row) { count(row.traffic.errors) if row.traffic.runs.positive? }]
      ].freeze

      private

      def verdict
        theirs, ours = HEADLINES.filter_map do |name, *labels|
          labels.map { |label| @results.row(name, label) }.then { |rows| rows if rows.all? { |row| row&.median } }
        end.first
        "#{theirs ? requests(theirs, ours) : raised}; #{sum_of_goals}"
      end

      def requests(theirs, ours)
        before, after = [theirs, ours].map { |row| "#{row.label} #{duration(row.median)}" }
        "#{theirs.subject}: #{before} → #{after} a request, #{ratio(@results.times(theirs, ours, theirs.kind))}"
      end

      def raised
        return "no variant with frugal was measured" unless @results.raising

        medians = @results.raising.medians.to_h { |label, seconds| [label, duration(seconds.last)] }
        theirs, ours = Raising::LABELS.values_at(:with_backtrace, :signal)
        "#{Raising::DEPTHS.last} frames deep: #{theirs} #{medians[theirs]} → #{ours} #{medians[ours]}"
      end

      def sections = [*exceptions, *super, *raising]

      def body(subject)
        stock = STOCK if subject.variants.include?(Results::STOCK) && subject.variants.size > 1
        table([*(WIRE if subject.wire), *INSIDE, *stock, *(TRAFFIC if subject.wire)], @results.rows(subject))
      end

      def against_page(row, kind)
        page = @results.page(row)
        ratio(@results.times(page, row, kind)) unless page.equal?(row)
      end

      # @return [Array<Array(String, Row, Row)>]
      def lines
        EXCEPTIONS.map { |label, *rows| [label, *rows.map { |row| row && @results.row("puma", row) }] }
                  .select { |_, *rows| rows.any? }
      end

      # @return [Array<String>] none if Puma was not measured
      def exceptions
        return [] if lines.empty?

        columns = ["trace rendered", "not rendered"].each_with_index.map { |title, i| [title, ->(line) { both(line[i + 1]) }] }
        title = "requests per second, and processor time of one request"
        [section("exceptions", title, *table(columns, lines, &:first))]
      end

      def both(row) = ([*rate(row), duration(row.median)].join(", ") if row&.median)

      def rate(row) = row.median(:rates)&.then { |rate| "#{count(rate.round)}/s" }

      def raising
        return [] unless @results.raising

        columns = Raising::DEPTHS.each_with_index.map { |depth, i| ["#{depth} deep", ->((_, seconds)) { duration(seconds[i]) }] }
        rows = table(columns, @results.raising.medians, &:first)
        [section("raising", "processor time of one exception, in this process", *rows)]
      end

      def subtitle = "processor time, medians; #{@facts[:machine][:cpu]}"

      # A bar for each way, a line for each way to raise.
      def panels(chart)
        rates = lines.flat_map do |label, rendered, not_rendered|
          same = rendered.equal?(not_rendered)
          [bar(same ? label : "#{label}, rendered", rendered), (bar(label, not_rendered) unless same)].compact
        end
        chart.panel("exceptions: requests per second", rates) if rates.any?
        @results.subjects.each do |subject|
          bars(chart, "#{subject}: #{subject.title}, time of a request", @results.rows(subject))
        end
        plot_raising(chart) if @results.raising
      end

      def bar(label, row) = ([label, row.median(:rates), rate(row)] if row && rate(row))

      # The horizontal scale counts all frames of the stack, because a logarithmic scale has no zero.
      def plot_raising(chart)
        own = Raising.own_frames
        lines = @results.raising.medians.map do |label, seconds|
          [label, Raising::DEPTHS.map { |depth| own + depth }.zip(seconds)]
        end
        chart.plot(Bench::Plot.new("raising: time of one exception", "frames on the stack", lines) { |value| duration(value) })
      end
    end
  end
end
