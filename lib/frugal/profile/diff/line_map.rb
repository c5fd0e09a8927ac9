# frozen_string_literal: true

module Frugal
  module Profile
    class Diff
      # The new numbers of the lines of an edited file, derived from the calls at its lines.
      #
      #   map = LineMap.new({ 1 => ["stat 5"], 3 => ["stat 7"] }, { 2 => ["stat 5"], 4 => ["stat 8"] })
      #   map[3]   # => 4: line 1 moved by one line, so line 3 did, too
      #
      # Lines with equal calls are paired by the heaviest common subsequence (dynamic programming; Wagner and Fischer
      # 1974), in which a pair at the same line weighs more. A line without a partner moves as the line above it.
      class LineMap
        STAYS = 3
        MOVES = 2
        MOST = 250_000 # pairs; a file with more is treated as unchanged
        private_constant :STAYS, :MOVES, :MOST

        # @param old [Hash{Integer => Object}] line => the calls that were recorded at it
        # @param new [Hash{Integer => Object}]
        def initialize(old, new)
          @old = old.sort
          @new = new.sort
          @pairs = @old.size * @new.size > MOST || old == new ? {} : pairs
          @lines = @pairs.keys.sort
        end

        # @param line [Integer] of the old file
        # @return [Integer] the line of the new file
        def [](line)
          return @pairs[line] if @pairs.key?(line)

          near = @lines.reverse_each.find { |paired| paired < line } || @lines.first
          near ? [line + @pairs[near] - near, 1].max : line
        end

        private

        # @return [Hash{Integer => Integer}]
        def pairs
          weights = self.weights
          pairs = {}
          row = column = 0
          while row < @old.size && column < @new.size
            if weights[row][column] == weights[row + 1][column] then row += 1
            elsif weights[row][column] == weights[row][column + 1] then column += 1
            else
              pairs[@old[row].first] = @new[column].first
              row += 1
              column += 1
            end
          end
          pairs
        end

        # The weight of the best pairs from each row and column on.
        def weights
          weights = Array.new(@old.size + 1) { Array.new(@new.size + 1, 0) }
          (@old.size - 1).downto(0) do |row|
            (@new.size - 1).downto(0) do |column|
              weights[row][column] = [weights[row + 1][column], weights[row][column + 1],
                                      weights[row + 1][column + 1] + weight(@old[row], @new[column])].max
            end
          end
          weights
        end

        def weight((old_line, old), (new_line, new))
          return 0 unless old == new

          old_line == new_line ? STAYS : MOVES
        end
      end
    end
  end
end
