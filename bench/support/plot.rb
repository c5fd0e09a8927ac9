# frozen_string_literal: true

module Frugal
  module Bench
    # Lines over two logarithmic scales: a power of ten is as wide as the next.
    #
    #   plot = Plot.new("strings", "roots", [["stock", [[10, 1e-5], [100, 1e-4]]]]) { |value| "#{value} s" }
    #   plot.draw(top) # => SVG elements; plot.height high
    #
    # What is not positive has no place on such a scale and is left out.
    class Plot
      WIDTH = 860
      LEFT = 90 # for the scale's words
      RIGHT = 230 # for the lines' names
      DECADE = 34 # high
      TITLE = 42
      FOOT = 44
      COLORS = { ours: %w[#1a7f37 #0969da #bf8700 #8250df], theirs: %w[#8c959f #57606a] }.freeze

      # @param title [String]
      # @param across [String] what the horizontal scale counts
      # @param lines [Array<Array(String, Array<Array(Numeric, Numeric)>)>] names and points
      # @yieldparam value [Float] a power of ten on the vertical scale
      # @yieldreturn [String]
      def initialize(title, across, lines, &words)
        @title = title
        @across = across
        @lines = lines.map { |name, points| [name, points.select { |point| point.all?(&:positive?) }] }.reject { |_, points| points.empty? }
        @words = words
        points = @lines.flat_map(&:last)
        @columns = decades(points.map(&:first))
        @rows = decades(points.map(&:last))
      end

      # @return [Integer]
      def height = TITLE + (span(@rows) * DECADE) + FOOT

      # @param top [Integer]
      # @return [Array<String>] SVG elements
      def draw(top)
        @top = top
        @taken = []
        names = Hash.new(0)
        [Svg.text(16, top + 22, @title, 'font-weight="bold"'), *grid,
         *@lines.sort_by { |_, points| y(points.last.last) }.flat_map { |name, points| line(name, points, color(name, names)) }]
      end

      private

      def decades(values) = values.empty? ? (0..1) : Math.log10(values.min).floor.then { |low| low..[Math.log10(values.max).ceil, low + 1].max }

      def span(range) = range.last - range.first

      def x(value) = LEFT + ((Math.log10(value) - @columns.first) / span(@columns) * (WIDTH - LEFT - RIGHT))

      def y(value) = @top + TITLE + ((@rows.last - Math.log10(value)) * DECADE)

      def grid
        bottom = y(10.0**@rows.first)
        across = @rows.map do |power|
          height = y(10.0**power)
          [rule(LEFT, height, WIDTH - RIGHT, height), Svg.text(LEFT - 8, height.round + 4, @words.call(10.0**power), 'text-anchor="end" fill="#59636e"')]
        end
        down = @columns.map do |power|
          left = x(10.0**power)
          [rule(left, @top + TITLE, left, bottom), Svg.text(left.round, bottom.round + 18, number(10**power), 'text-anchor="middle" fill="#59636e"')]
        end
        [across, down, Svg.text((LEFT + WIDTH - RIGHT) / 2, bottom.round + 36, @across, 'text-anchor="middle" fill="#59636e"')].flatten
      end

      def number(value) = value.to_s.gsub(/(?<=\d)(?=(?:\d{3})+\z)/, ",")

      def rule(*ends) = format('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#d1d9e0"/>', *ends)

      def color(name, names)
        kind = Svg.ours?(name) ? :ours : :theirs
        COLORS.fetch(kind)[names[kind] % COLORS.fetch(kind).size].tap { names[kind] += 1 }
      end

      def line(name, points, color)
        places = points.map { |across, up| format("%.1f,%.1f", x(across), y(up)) }
        dots = places.map { |place| place.split(",").then { |left, height| %(<circle cx="#{left}" cy="#{height}" r="3" fill="#{color}"/>) } }
        [%(<polyline class="line" points="#{places.join(" ")}" fill="none" stroke="#{color}" stroke-width="2"/>), *dots,
         Svg.text(x(points.last.first).round + 8, free(y(points.last.last).round + 4), name, %(fill="#{color}"))]
      end

      # Names do not cover each other: from above, each is at least a line below the one before.
      def free(height)
        height = @taken.last + 15 if @taken.any? && height < @taken.last + 15
        @taken << height
        height
      end
    end
  end
end
