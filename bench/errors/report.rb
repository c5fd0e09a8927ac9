# frozen_string_literal: true

require_relative "exception_table"
require_relative "results"
require_relative "../support/chart"
require_relative "../support/duration"
require_relative "../support/report"

module Frugal
  module ErrorsBench
    # The report as Markdown, chart and JSON.
    class Report < Bench::Report
      # Case, row of stock, row of frugal: the first case that was measured is used for the verdict.
      HEADLINES = [
        ["puma", "raise, rendered and logged, 0 deep", "Frugal.halt, 0 deep"],
        ["rails", "stock, raise", "frugal, raise"], ["sinatra", "stock, unknown route", "frugal, unknown route"],
        ["files", "File.open and rescue, missing", "Frugal::Files, missing"]
      ].freeze

      # @return [String] SVG: a bar for each way, a line for each way to raise
      def chart
        chart = Bench::Chart.new("The cost of an error response", "processor time, medians; #{@facts[:machine][:cpu]}")
        ExceptionTable.new(@results).panel(chart)
        @results.subjects.each do |subject|
          bars = @results.rows(subject).map do |row|
            [row.label, row.cpu.median, row.death ? "dies: #{row.death}" : time(row)]
          end
          chart.panel("#{subject.name}: #{subject.title}, time of a request", bars)
        end
        plot(chart) if @results.raising
        chart.to_s
      end

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
      private_constant :LEGEND

      private

      def legend = LEGEND

      def sections = [*ExceptionTable.new(@results).section, *@results.subjects.map { |subject| section(subject) }, *raising]

      def verdict
        subject, *rows = HEADLINES.filter_map do |name, *labels|
          found = labels.map { |label| @results.row(name, label) }
          [@results.subject(name), *found] if found.all? { |row| row&.cpu&.median }
        end.first
        "#{subject ? requests(subject, *rows) : raised}; #{Bench::Goal.sum(@results.goals)}"
      end

      def requests(subject, theirs, ours)
        kind = theirs.wire.median ? :wire : :inside
        "#{subject.name}: #{theirs.label} #{duration(theirs.cpu.median)} → #{ours.label} #{duration(ours.cpu.median)} a request, " \
          "#{Readable.ratio(@results.times(theirs, ours, kind))}"
      end

      def raised
        return "no variant with frugal was measured" unless @results.raising

        medians = @results.raising.medians.to_h { |label, seconds| [label, duration(seconds.last)] }
        theirs, ours = Raising::LABELS.values_at(:with_backtrace, :signal)
        "#{Raising::DEPTHS.last} frames deep: #{theirs} #{medians[theirs]} → #{ours} #{medians[ours]}"
      end

      def section(subject)
        header = ["", *(["on the wire", "page / this", "requests/s"] if subject.wire), "in process", "page / this", "objects",
                  *("stock / this" if stock?(subject)), *(["connections", "socket errors"] if subject.wire)]
        rows = @results.rows(subject).map do |row|
          row.death ? [row.label, "dies: #{row.death}", *[NONE] * (header.size - 2)] : cells(subject, row)
        end
        ["## #{subject.name}: #{subject.title}", "", *Bench::Markdown.table([header, *rows]), "",
         *@results.goals(subject.name).map { |goal| "- #{goal}" }].join("\n").rstrip
      end

      def cells(subject, row)
        wire, counts = [wire(subject, row), counts(row)] if subject.wire
        [row.label, *wire, *inside(subject, row), *(stock(subject, row) if stock?(subject)), *counts]
      end

      def wire(subject, row)
        return [NONE] * 3 unless row.wire.median

        [duration(row.wire.median), ratio(subject, row, :wire), Readable.count(row.rate.round)]
      end

      def inside(subject, row)
        return [NONE] * 3 unless row.inside.median

        [duration(row.inside.median), ratio(subject, row, :inside), Readable.count(row.objects.round)]
      end

      def counts(row)
        return [NONE] * 2 if row.traffic.runs.zero?

        [row.traffic.connections&.then { |count| Readable.count(count) } || NONE, Readable.count(row.traffic.errors)]
      end

      def ratio(subject, row, kind)
        page = @results.page(subject, row)
        page.equal?(row) ? NONE : times(page, row, kind)
      end

      def stock?(subject) = subject.variants.include?(Results::STOCK) && subject.variants.size > 1

      def stock(subject, row) = times(@results.stock(subject, row), row, row.wire.median ? :wire : :inside)

      def times(whole, part, kind) = @results.times(whole, part, kind)&.then { |times| Readable.ratio(times) } || NONE

      def raising
        return [] unless @results.raising

        rows = @results.raising.medians.map { |label, seconds| [label, *seconds.map { |time| duration(time) }] }
        table = Bench::Markdown.table([["", *Raising::DEPTHS.map { |depth| "#{depth} deep" }], *rows])
        [["## raising: processor time of one exception, in this process", "", *table].join("\n")]
      end

      # The horizontal scale counts all frames of the stack, because a logarithmic scale has no zero.
      def plot(chart)
        own = Raising.own_frames
        lines = @results.raising.medians.map do |label, seconds|
          [label, Raising::DEPTHS.map { |depth| own + depth }.zip(seconds)]
        end
        chart.plot(Bench::Plot.new("raising: time of one exception", "frames on the stack", lines) { |value| duration(value) })
      end

      def time(row) = row.cpu.median ? duration(row.cpu.median) : NONE

      def duration(seconds) = Bench::Duration.readable(seconds)
    end
  end
end
