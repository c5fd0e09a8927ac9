# frozen_string_literal: true

module Frugal
  module Bench
    # Elements of SVG documents.
    module Svg
      ESCAPES = { "&" => "&amp;", "<" => "&lt;", ">" => "&gt;", '"' => "&quot;" }.freeze

      class << self
        # @return [String]
        def text(left, top, text, attributes = "")
          %(<text x="#{left}" y="#{top}" #{attributes}>#{text.gsub(/[&<>"]/, ESCAPES)}</text>).sub(" >", ">")
        end

        # @param label [String] the label of a bar or a line
        # @return [Boolean] whether it belongs to frugal, not to a rival
        def ours?(label) = label.downcase.start_with?("frugal", "probe")
      end
    end
  end
end
