# frozen_string_literal: true

require_relative "../../lib/frugal/readable"

module Frugal
  module Bench
    # A plot of lines with two logarithmic scales: every power of ten is equally wide.
    #
    #   plot = Plot.new("strings", "roots", [["stock", [[10, 1e-5], [100, 1e-4]]]]) { |value| "#{value} s" }
    #   plot.draw(top) # => SVG elements, which take plot.height pixels
    #
    # Points that are not positive are left out, because a logarithmic scale does not have them.
    class Plot
      # All in pixels.
      WIDTH = 860
      LEFT = 90 # for the labels of the vertical scale
      RIGHT = 230 # for the names of the lines
      DECADE = 34 # height of a power of ten
      TITLE = 42
      FOOT = 44
      COLORS = { ours: %w[#1a7f37 #0969da #bf8700 #8250df], theirs: %w[#8c959f #57606a] }.freeze

      # @param title [String]
      # @param across [String] the label of the horizontal scale
      # @param lines [Array<Array(String, Array<Array(Numeric, Numeric)>)>] names and points
      # @yieldparam value [Float] a power of ten on the vertical scale
      # @yieldreturn [String] its label
      def initialize(title, across, lines, &label)
        @title = title
        @across = across
        @lines = lines.map { |name, points| [name, points.select { |point| point.all?(&:positive?) }] }
                      .reject { |_, points| points.empty? }
        @label = label
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

      def decades(values)
        return 0..1 if values.empty?

        low = Math.log10(values.min).floor
        low..[Math.log10(values.max).ceil, low + 1].max
      end

      def span(range) = range.last - range.first

      def x(value) = LEFT + ((Math.log10(value) - @columns.first) / span(@columns) * (WIDTH - LEFT - RIGHT))

      def y(value) = @top + TITLE + ((@rows.last - Math.log10(value)) * DECADE)

      def grid
        bottom = y(10.0**@rows.first)
        title = Svg.text((LEFT + WIDTH - RIGHT) / 2, bottom.round + 36, @across, 'text-anchor="middle" fill="#59636e"')
        [horizontal_rules, vertical_rules(bottom), title].flatten
      end

      def horizontal_rules
        @rows.map do |power|
          height = y(10.0**power)
          [rule(LEFT, height, WIDTH - RIGHT, height),
           Svg.text(LEFT - 8, height.round + 4, @label.call(10.0**power), 'text-anchor="end" fill="#59636e"')]
        end
      end

      def vertical_rules(bottom)
        @columns.map do |power|
          left = x(10.0**power)
          [rule(left, @top + TITLE, left, bottom),
           Svg.text(left.round, bottom.round + 18, Readable.count(10**power), 'text-anchor="middle" fill="#59636e"')]
        end
      end

      def number(value) = Readable.count(value)

      def rule(*ends) = format('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#d1d9e0"/>', *ends)

      def color(name, names)
        kind = Svg.ours?(name) ? :ours : :theirs
        COLORS.fetch(kind)[names[kind] % COLORS.fetch(kind).size].tap { names[kind] += 1 }
      end

      def line(name, points, color)
        places = points.map { |across, up| format("%.1f,%.1f", x(across), y(up)) }
        dots = places.map do |place|
          left, height = place.split(",")
          %(<circle cx="#{left}" cy="#{height}" r="3" fill="#{color}"/>)
        end
        [%(<polyline class="line" points="#{places.join(" ")}" fill="none" stroke="#{color}" stroke-width="2"/>), *dots,
         Svg.text(x(points.last.first).round + 8, free_height(y(points.last.last).round + 4), name, %(fill="#{color}"))]
      end

      # Moves a name down if it would cover the name above it. Names are drawn from top to bottom.
      def free_height(height)
        height = @taken.last + 15 if @taken.any? && height < @taken.last + 15
        @taken << height
        height
      end
    end
  end
end
