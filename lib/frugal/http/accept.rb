# frozen_string_literal: true

module Frugal
  module HTTP
    # Chooses the form of an error page by the client's Accept header (RFC 9110, 12.5.1).
    #
    #   Accept.form("text/html,*/*;q=0.8")           # => :html
    #   Accept.form("application/json, text/plain")  # => :problem
    #   Accept.form("*/*")                           # => :text
    #
    # The form with the highest quality is chosen. Among forms of equal quality, forms that the header names are
    # preferred, in the order HTML, problem, text; then forms that a wildcard matches, in the order text, problem,
    # HTML. The response is text if the client accepts none of them, or if its header is malformed.
    module Accept
      # How specific each media range is for a form. The most specific range decides; a name is more specific than a
      # wildcard.
      SPECIFICITY = {
        "text/html" => { html: 4 }, "text/plain" => { text: 4 }, "application/problem+json" => { problem: 4 },
        "application/json" => { problem: 3 }, "text/*" => { text: 2, html: 2 }, "application/*" => { problem: 2 },
        "*/*" => { text: 1, problem: 1, html: 1 }
      }.each_value(&:freeze).freeze
      NAMED = 3

      RANK_IF_NAMED = { html: 6, problem: 5, text: 4 }.freeze
      RANK = { text: 3, problem: 2, html: 1 }.freeze

      # Bytes of the header that are parsed. A browser's header has about 150 bytes.
      LONGEST = 1024
      QUALITY = /;[ \t]*q[ \t]*=[ \t]*(1(?:\.0{0,3})?|0(?:\.\d{0,3})?)[ \t]*(?:;|\z)/in
      private_constant :SPECIFICITY, :NAMED, :RANK_IF_NAMED, :RANK, :LONGEST, :QUALITY

      class << self
        # @param accept [String, nil] the header
        # @return [Symbol] +:html+, +:problem+ or +:text+
        # *Cost*: no object without a header, for +*/*+ or +application/json+, or if it begins as a browser's header
        # does
        def form(accept)
          return :text if accept.nil? || accept == "*/*" || accept.empty?
          return :html if accept.start_with?("text/html,") # no other form is preferred to it
          return :problem if accept == "application/json"

          form, (quality,) = qualities(accept).max_by do |name, (value, specificity)|
            [value, (specificity >= NAMED ? RANK_IF_NAMED : RANK).fetch(name)]
          end
          quality&.positive? ? form : :text
        end

        private

        # @return [Hash{Symbol => Array(Float, Integer)}] each form's quality, and how specific its range is
        def qualities(accept)
          accept.b.byteslice(0, LONGEST).split(",").each_with_object({}) do |range, qualities|
            SPECIFICITY[range[/[^;]*/n].strip.downcase]&.each do |form, specificity|
              quality = [range[QUALITY, 1]&.to_f || 1.0, specificity]
              before = qualities[form]
              qualities[form] = quality if before.nil? || ([specificity, quality] <=> [before.last, before]).positive?
            end
          end
        end
      end
    end
  end
end
