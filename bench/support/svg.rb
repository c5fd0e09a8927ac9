# frozen_string_literal: true

module Frugal
  module Bench
    # The few elements that pictures are made of.
    module Svg
      ESCAPES = { "&" => "&amp;", "<" => "&lt;", ">" => "&gt;", '"' => "&quot;" }.freeze

      class << self
        # @return [String]
        def text(left, top, words, attributes = "")
          %(<text x="#{left}" y="#{top}" #{attributes}>#{words.gsub(/[&<>"]/, ESCAPES)}</text>).sub(" >", ">")
        end

        # @param label [String] of a bar or a line
        # @return [Boolean] whether it is frugal's, and not a rival's
        def ours?(label) = label.downcase.start_with?("frugal", "probe")
      end
    end
  end
end
