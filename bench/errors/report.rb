# frozen_string_literal: true

require_relative "finding"
require_relative "results"
require_relative "../support/chart"
require_relative "../support/duration"
require_relative "../support/report"

module Frugal
  module ErrorsBench
    # The results for people (Markdown, and a chart) and for programs (JSON).
    class Report < Bench::Report
      # Case, theirs, ours: the first that was measured makes the verdict.
      HEADLINES = [
        ["puma", "raise, rendered and logged, 0 deep", "Frugal.halt, 0 deep"],
        ["rails", "stock, raise", "frugal, raise"], ["sinatra", "stock, unknown route", "frugal, unknown route"],
        ["files", "File.open and rescue, missing", "Frugal::Files, missing"]
      ].freeze

      # @return [String] SVG: a bar for each way, a line for each way to raise
      def chart
        chart = Bench::Chart.new("What an answer costs that is an error", "processor time, medians; #{@facts[:machine][:cpu]}")
        Finding.new(@results).panel(chart)
        @results.subjects.each do |subject|
          bars = @results.rows(subject).map { |row| [row.label, row.cpu.median, row.death ? "dies: #{row.death}" : time(row)] }
          chart.panel("#{subject.name}: #{subject.title}, time of a request", bars)
        end
        plot(chart) if @results.raising
        chart.to_s
      end

      LEGEND = <<~TEXT.chomp
        Times are processor time of one request, medians of the rounds, which go through the ways in turn. "on the wire": of the server's
        whole process, a Puma with its own defaults, while #{Wrk::COMMAND.join(" ")} asks; "in process": of the Rack application alone,
        called in the same process, body read and closed. "page / it" is how often the way fits into the page of the same application, as it
        is there (above 1: it costs less), the median of the ratios by round; "stock / it" how often it fits into the same asked of stock,
        on the wire where that was measured. objects are those that one request makes in process; connections and socket errors are those of
        all rounds: wrk makes #{Wrk::CONNECTIONS + 1} a round, and Puma ends one after #{Traffic::PER_CONNECTION} requests. Logs are
        written, to /dev/null. "0 deep" is the application's own stack, with 20 middlewares; "200 deep" has as many frames more. "stock" is
        what the framework does by itself: for Puma a middleware, outermost, that rescues, and renders and logs the exception; with frugal,
        Responder stands innermost, and what is returned is what it answers, byte for byte.
      TEXT
      private_constant :LEGEND

      private

      def legend = LEGEND

      def sections = [*Finding.new(@results).section, *@results.subjects.map { |subject| section(subject) }, *raising]

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
          "#{Compare::Units.ratio(@results.times(theirs, ours, kind))}"
      end

      def raised
        return "no variant with frugal was measured" unless @results.raising

        medians = @results.raising.medians.to_h { |label, seconds| [label, duration(seconds.last)] }
        theirs, ours = Raising::LABELS.values_at(:with_backtrace, :signal)
        "#{Raising::DEPTHS.last} frames deep: #{theirs} #{medians[theirs]} → #{ours} #{medians[ours]}"
      end

      def section(subject)
        header = ["", *(["on the wire", "page / it", "requests/s"] if subject.wire), "in process", "page / it", "objects",
                  *("stock / it" if stock?(subject)), *(["connections", "socket errors"] if subject.wire)]
        rows = @results.rows(subject).map { |row| row.death ? [row.label, "dies: #{row.death}", *[NONE] * (header.size - 2)] : cells(subject, row) }
        ["## #{subject.name}: #{subject.title}", "", *Bench::Markdown.table([header, *rows]), "",
         *@results.goals(subject.name).map { |goal| "- #{goal}" }].join("\n").rstrip
      end

      def cells(subject, row)
        wire, counts = [wire(subject, row), counts(row)] if subject.wire
        [row.label, *wire, *inside(subject, row), *(stock(subject, row) if stock?(subject)), *counts]
      end

      def wire(subject, row)
        return [NONE] * 3 unless row.wire.median

        [duration(row.wire.median), ratio(subject, row, :wire), Compare::Units.count(row.rate.round)]
      end

      def inside(subject, row)
        return [NONE] * 3 unless row.inside.median

        [duration(row.inside.median), ratio(subject, row, :inside), Compare::Units.count(row.objects.round)]
      end

      def counts(row)
        return [NONE] * 2 if row.traffic.runs.zero?

        [row.traffic.connections&.then { |count| Compare::Units.count(count) } || NONE, Compare::Units.count(row.traffic.errors)]
      end

      def ratio(subject, row, kind)
        page = @results.page(subject, row)
        page.equal?(row) ? NONE : times(page, row, kind)
      end

      def stock?(subject) = subject.variants.include?(Results::STOCK) && subject.variants.size > 1

      def stock(subject, row) = times(@results.stock(subject, row), row, row.wire.median ? :wire : :inside)

      def times(whole, part, kind) = (@results.times(whole, part, kind)&.then { |times| Compare::Units.ratio(times) } || NONE)

      def raising
        return [] unless @results.raising

        rows = @results.raising.medians.map { |label, seconds| [label, *seconds.map { |time| duration(time) }] }
        table = Bench::Markdown.table([["", *Raising::DEPTHS.map { |depth| "#{depth} deep" }], *rows])
        [["## raising: what one costs, in this process", "", *table].join("\n")]
      end

      # By all frames, as a logarithmic scale has no place for none.
      def plot(chart)
        own = Raising.own_frames
        lines = @results.raising.medians.map { |label, seconds| [label, Raising::DEPTHS.map { |depth| own + depth }.zip(seconds)] }
        chart.plot(Bench::Plot.new("raising: the time of one", "frames on the stack", lines) { |value| duration(value) })
      end

      def time(row) = row.cpu.median ? duration(row.cpu.median) : NONE

      def duration(seconds) = Bench::Duration.readable(seconds)
    end
  end
end
