# frozen_string_literal: true

require "json"
require_relative "markdown"

module Frugal
  module Bench
    # A report of results as Markdown and as JSON. A benchmark defines `verdict`, `legend`
    # and `sections`, and `chart` if it draws one.
    class Report
      NONE = "–"

      # @param results [Object] its `to_h` goes into the JSON
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
