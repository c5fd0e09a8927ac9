# frozen_string_literal: true

require_relative "results"
require_relative "../support/duration"
require_relative "../support/report"

module Frugal
  module WaitsBench
    # The report as Markdown and JSON.
    class Report < Bench::Report
      LEGEND = <<~TEXT.chomp
        Each process takes turns as fast as it can, with one thread, until all together have had the number of turns. "fair" is the wait if every
        other process has one turn meanwhile; "overtaken" is how many turns others had during one wait, at most. Reads of a cache: one process reads an entry of #{Readable.count(Reads::BYTES)} bytes
        while #{Reads::WRITERS} others write it, for a second in each of #{Reads::ROUNDS} alternating rounds; medians of the rounds.
      TEXT
      private_constant :LEGEND

      private

      def legend = LEGEND

      def verdict
        row = @results.rows.max_by(&:longest_by_fair)
        return @results.reads ? Bench::Goal.sum(@results.goals) : "nothing was measured" unless row

        "#{@results.rows.sum(&:lost)} changes lost; the longest wait was #{Readable.ratio(row.longest_by_fair)} as long as a " \
          "fair one (#{row.case.title}); #{Bench::Goal.sum(@results.goals)}"
      end

      def sections
        header = ["", "processes", "hold", "turns", "each", "longest wait", "fair", "overtaken", "lost"]
        storms = Bench::Markdown.table([header, *@results.rows.map { |row| cells(row) }]).join("\n") if @results.rows.any?
        [storms, *(reads if @results.reads), @results.goals.map { |goal| "- #{goal.subject}: #{goal}" }.join("\n")].compact
      end

      def reads
        rows = @results.reads.to_h.map do |cache, found|
          [cache, Readable.count(found[:reads]), *found.values_at(:median, :p99, :longest).map { |time| Bench::Duration.readable(time) }]
        end
        Bench::Markdown.table([["", "reads", "half of them within", "99 % within", "longest"], *rows]).join("\n")
      end

      def cells(row)
        storm = row.storm
        [row.case.title, row.case.processes.to_s, format("%d ms", row.case.hold * 1000), storm.turns.size.to_s, row.spread.join("–"),
         format("%.2f s", storm.longest), format("%.2f s", storm.fair), storm.turns.map(&:others).max.to_s, row.lost.to_s]
      end
    end
  end
end
