# frozen_string_literal: true

require_relative "plot"
require_relative "svg"

module Frugal
  module Bench
    # Bar charts and plots, one below the other, as a self-contained SVG document.
    #
    #   Chart.new("Listing", "one minute").panel("plain, ms", [["find", 12.5, "12.5 ms"]]).to_s
    #
    # Each panel of bars has its own scale, from zero to its longest bar.
    class Chart
      WIDTH = 860
      LABELS = 300 # width of the labels left of the bars
      VALUES = 150 # width of the values right of the bars
      LINE = 20
      OURS = "#1a7f37"
      THEIRS = "#8c959f"

      # A bar. If `value` is nil, only the label and the text are drawn, and the text says why.
      Bar = Struct.new(:label, :value, :text)

      # @param title [String]
      # @param subtitle [String] describes the numbers
      def initialize(title, subtitle)
        @title = title
        @subtitle = subtitle
        @panels = []
      end

      # @param title [String]
      # @param bars [Array<Array(String, Numeric, String)>] label, value or nil, formatted value
      # @return [self]
      def panel(title, bars)
        @panels << [title, bars.map { |bar| Bar.new(*bar) }]
        self
      end

      # @param plot [Plot]
      # @return [self]
      def plot(plot)
        @panels << plot
        self
      end

      # @return [String] the document
      def to_s
        @top = 64
        drawn = @panels.flat_map { |panel| panel.is_a?(Plot) ? draw_plot(panel) : draw(*panel) }
        <<~SVG
          <?xml version="1.0" encoding="UTF-8"?>
          <svg xmlns="http://www.w3.org/2000/svg" width="#{WIDTH}" height="#{@top}" viewBox="0 0 #{WIDTH} #{@top}"
            font-family="sans-serif" font-size="13" fill="#1f2328">
          <rect width="100%" height="100%" fill="#ffffff"/>
          #{Svg.text(16, 28, @title, 'font-size="18" font-weight="bold"')}
          #{Svg.text(16, 48, @subtitle, 'fill="#59636e"')}
          #{drawn.join("\n")}
          </svg>
        SVG
      end

      private

      def draw_plot(plot)
        plot.draw(@top).tap { @top += plot.height }
      end

      def draw(title, bars)
        longest = bars.map { |bar| bar.value.to_f }.max.to_f
        heading = Svg.text(16, @top + 22, title, 'font-weight="bold"')
        @top += 32
        rows = bars.flat_map { |bar| row(bar, longest) }
        @top += 12
        [heading, *rows]
      end

      def row(bar, longest)
        length = longest.zero? ? 0 : bar.value.to_f / longest * (WIDTH - LABELS - VALUES)
        name = Svg.text(LABELS - 8, @top + 14, bar.label, 'text-anchor="end"')
        shape = format('<rect class="bar" x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>', LABELS, @top + 2,
                       [length, 1].max, LINE - 4, Svg.ours?(bar.label) ? OURS : THEIRS)
        value = Svg.text(LABELS + 6 + length.round, @top + 14, bar.text)
        @top += LINE
        [name, (shape if bar.value), value].compact
      end
    end
  end
end
