# frozen_string_literal: true

module Frugal
  module Profile
    module Report
      # Breaks text and tables into lines that fit into a terminal.
      #
      #   Layout.new(40).paragraph("fix: Ask once and keep the answer.", indent: 8)
      class Layout
        # Characters that take two columns: East Asian scripts and symbols (Unicode Standard Annex 11), and pictures.
        WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|
                [\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/x
        MIN_WIDTH = 20 # columns; a narrower terminal breaks the lines itself
        GAP = "   "
        private_constant :WIDE, :MIN_WIDTH

        # @return [Integer] the columns that a terminal needs for the text
        def self.columns(text) = text.ascii_only? ? text.size : text.size + text.scan(WIDE).size

        # @param width [Integer, nil] columns; nil for lines of any length
        def initialize(width)
          @width = [width, MIN_WIDTH].max if width
        end

        # Breaks at spaces, and inside of a word only if it is longer than a line.
        #
        # @param indent [Integer] columns before each line
        # @param first [String] a text in the indent of the first line
        # @return [Array<String>]
        def paragraph(text, indent: 0, first: "")
          margin = " " * [indent, *(@width && [@width / 2, first.size].max)].min
          lines = broken(text, margin.size).map { |line| margin + line }
          lines[0] = first.ljust(margin.size) + lines[0][margin.size..] unless first.empty?
          lines
        end

        # Writes headings above numbers, side by side, in several blocks if the width requires it.
        #
        # @param cells [Hash{String => String}]
        # @return [Array<String>]
        def table(cells)
          rows(cells).flat_map do |row|
            widths = row.map { |pair| pair.map(&:size).max }
            row.transpose.map { |line| line.zip(widths).map { |cell, width| cell.rjust(width) }.join(GAP) }
          end
        end

        private

        def broken(text, margin)
          return [text] unless @width

          words = text.split.flat_map { |word| pieces(word, @width - margin) }
          words.each_with_object([+""]) do |word, lines|
            longer = "#{lines.last}#{" " unless lines.last.empty?}#{word}"
            margin + Layout.columns(longer) <= @width ? lines.last.replace(longer) : lines << +word
          end
        end

        def pieces(word, room)
          return [word] if Layout.columns(word) <= room

          word.each_char.with_object([+""]) do |character, pieces|
            pieces << +"" if Layout.columns(pieces.last + character) > room
            pieces.last << character
          end
        end

        def rows(cells)
          cells.to_a.each_with_object([[]]) do |cell, rows|
            wider = (rows.last + [cell]).sum { |pair| pair.map(&:size).max + GAP.size } - GAP.size
            rows << [] if @width && rows.last.any? && wider > @width
            rows.last << cell
          end
        end
      end
    end
  end
end
