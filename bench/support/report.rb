# frozen_string_literal: true

require "json"
require_relative "markdown"

module Frugal
  module Bench
    # Results for people (Markdown; where a benchmark draws, a +chart+ too) and for
    # programs (JSON). A benchmark adds its +verdict+, +legend+ and +sections+.
    class Report
      NONE = "–"

      # @param results [Object] whose +to_h+ is for programs
      # @param facts [Hash{Symbol => Object}] command, date, machine, load, notes
      def initialize(results, facts)
        @results = results
        @facts = facts
      end

      # @return [String] one indented JSON document
      def document = "#{JSON.pretty_generate({ schema: 1, **@facts, **@results.to_h })}\n"

      # @return [String] Markdown; its first line is the verdict
      def to_s = ["# #{verdict}", Markdown.facts(@facts), legend, *sections].join("\n\n") << "\n"
    end
  end
end
