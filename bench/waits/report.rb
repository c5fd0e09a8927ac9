# frozen_string_literal: true

require_relative "results"
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
      TABLE = [
        ["processes", ->(row) { row.subject.processes }],
        ["hold", ->(row) { format("%d ms", row.subject.hold * 1000) }],
        ["turns", ->(row) { row.storm.turns.size }], ["each", ->(row) { row.spread.join("–") }],
        ["longest wait", ->(row) { format("%.2f s", row.storm.longest) }],
        ["fair", ->(row) { format("%.2f s", row.storm.fair) }],
        ["overtaken", :overtaken.to_proc], ["lost", :lost.to_proc]
      ].freeze
      # Of the numbers of one cache.
      READS = [
        ["reads", ->((_, found)) { count(found[:reads]) }],
        *{ "half of them within" => :median, "99 % within" => :p99, "longest" => :longest }.map do |title, key|
          [title, ->((_, found)) { duration(found[key]) }]
        end
      ].freeze

      private

      def verdict
        row = @results.rows.max_by(&:longest_by_fair)
        return @results.reads ? sum_of_goals : "nothing was measured" unless row

        "#{@results.rows.sum(&:lost)} changes lost; the longest wait was #{ratio(row.longest_by_fair)} as long as a " \
          "fair one (#{row.label}); #{sum_of_goals}"
      end

      def sections
        [*(table(TABLE, @results.rows).join("\n") if @results.rows.any?),
         *(table(READS, @results.reads.to_h.to_a, &:first).join("\n") if @results.reads), all_goals]
      end
    end
  end
end
