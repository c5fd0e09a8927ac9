# frozen_string_literal: true

require "json"

module Frugal
  module RakeBench
    # The results as JSON: every sample, every count, every target.
    module Document
      class << self
        # @param results [Results]
        # @param facts [Hash{Symbol => Object}]
        # @return [String] one indented JSON document; times are seconds
        def of(results, facts)
          cases = results.names.to_h { |name| [name, case_of(results, name)] }
          targets = results.judgements.map { |judgement| target_of(judgement) }
          "#{JSON.pretty_generate({ schema: 1, **facts, cases: cases, targets: targets })}\n"
        end

        private

        def case_of(results, name)
          { title: results.title(name), rivals: results.rows(name).map { |row| row_of(row) } }
        end

        def row_of(row)
          { rival: row.label, command: row.rival.argv.map { |word| word.sub(Dir.home, "~") },
            accelerates: row.rival.stock, wall: rounded(row.walls), cpu: rounded(row.cpus), phases: phases_of(row), dies: row.death,
            stats: row.stat_calls&.total, paths: row.stat_calls&.distinct,
            exceptions: row.exceptions }.compact
        end

        # @return [Hash, nil] seconds by round
        def phases_of(row)
          Phases.members.to_h { |phase| [phase, rounded(row.processor(phase))] } if row.phases.any?
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
