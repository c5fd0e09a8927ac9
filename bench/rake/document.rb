# frozen_string_literal: true

require "json"

module Frugal
  module RakeBench
    # The results for programs: every sample, every count, every target.
    module Document
      class << self
        # @param results [Results]
        # @param facts [Hash{Symbol => Object}]
        # @return [String] one indented JSON document; times are seconds
        def of(results, facts)
          cases = results.names.to_h { |name| [name, { title: results.title(name), rivals: results.rows(name).map { |row| row_of(row) } }] }
          "#{JSON.pretty_generate({ schema: 1, **facts, cases: cases, targets: results.judgements.map { |one| target_of(one) } })}\n"
        end

        private

        def row_of(row)
          { rival: row.label, command: row.rival.argv.map { |word| word.sub(Dir.home, "~") },
            accelerates: row.rival.stock, wall: rounded(row.walls), cpu: rounded(row.cpus), dies: row.death,
            stats: row.asks&.total, paths: row.asks&.distinct, exceptions: row.exceptions }.compact
        end

        def target_of(judgement)
          { case: judgement.target.subject, on: judgement.on, target: judgement.target.to_s,
            value: judgement.value&.round(4), verdict: judgement.verdict }
        end

        def rounded(times) = times.map { |time| time&.round(6) }
      end
    end
  end
end
