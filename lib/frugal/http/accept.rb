# frozen_string_literal: true

module Frugal
  module HTTP
    # Which form of an error page a client wants, by its Accept header (RFC 9110, 12.5.1).
    #
    #   Accept.form("text/html,*/*;q=0.8")           # => :html
    #   Accept.form("application/json, text/plain")  # => :problem
    #   Accept.form("*/*")                           # => :text
    #
    # The form with the highest quality; among equals one that is named, HTML before problem before text,
    # then one that a wildcard covers, text first. Who wants none of them, or is not understood, gets text.
    module Accept
      # The nearer a range, the more it says; a name says more than a wildcard.
      NEARNESS = {
        "text/html" => { html: 4 }, "text/plain" => { text: 4 }, "application/problem+json" => { problem: 4 },
        "application/json" => { problem: 3 }, "text/*" => { text: 2, html: 2 }, "application/*" => { problem: 2 },
        "*/*" => { text: 1, problem: 1, html: 1 }
      }.each_value(&:freeze).freeze
      NAMED = 3

      RANK_IF_NAMED = { html: 6, problem: 5, text: 4 }.freeze
      RANK = { text: 3, problem: 2, html: 1 }.freeze

      # A browser's header has 150 bytes; one of a megabyte is not read to its end.
      LONGEST = 1024
      QUALITY = /;[ \t]*q[ \t]*=[ \t]*(1(?:\.0{0,3})?|0(?:\.\d{0,3})?)[ \t]*(?:;|\z)/in
      private_constant(*constants)

      class << self
        # @param accept [String, nil] the header
        # @return [Symbol] +:html+, +:problem+ or +:text+
        # *Cost*: no object for none, +*/*+, +application/json+, or what begins as a browser's does
        def form(accept)
          return :text if accept.nil? || accept == "*/*" || accept.empty?
          return :html if accept.start_with?("text/html,") # nothing is before it
          return :problem if accept == "application/json"

          form, (quality,) = answers(accept).max_by do |name, (value, nearness)|
            [value, (nearness >= NAMED ? RANK_IF_NAMED : RANK).fetch(name)]
          end
          quality&.positive? ? form : :text
        end

        private

        # @return [Hash{Symbol => Array(Float, Integer)}] each form's quality, by the nearest range
        def answers(accept)
          accept.b.byteslice(0, LONGEST).split(",").each_with_object({}) do |range, answers|
            NEARNESS[range[/[^;]*/n].strip.downcase]&.each do |form, nearness|
              answer = [range[QUALITY, 1]&.to_f || 1.0, nearness]
              before = answers[form]
              answers[form] = answer if before.nil? || ([nearness, answer] <=> [before.last, before]).positive?
            end
          end
        end
      end
    end
  end
end
