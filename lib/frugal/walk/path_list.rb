# frozen_string_literal: true

module Frugal
  module Walk
    # The paths of a walk, in its order: 30 to 50 bytes each, until a String of
    # one is asked for.
    #
    #   list = Frugal.walk("src", stat: :size)
    #   list.size              # => 204200
    #   list.first             # => "src/a.c"
    #   list.to_a              # all of them at once
    #   list.column(:size)     # => [120, ...]: bytes, parallel to the paths
    class PathList
      include Enumerable

      # @param tree [Native::C::Tree, Native::Pure::Tree]
      # @param columns [Array<Symbol>]
      # @param chosen [Array<Integer>, nil] numbers of the tree's paths; nil: all
      def initialize(tree, columns, chosen = nil)
        @tree = tree
        @columns = columns
        @chosen = chosen
      end

      # @return [Integer]
      # *Cost*: nothing.
      def size = @chosen ? @chosen.size : @tree.size
      alias length size

      def empty? = size.zero?

      # @yieldparam path [String] made when it is its turn
      def each
        return enum_for(:each) { size } unless block_given?

        size.times { |i| yield @tree.at(number(i)) }
        self
      end

      # @param index [Integer] from the end where it is negative
      # @return [String, nil]
      def [](index)
        index += size if index.negative?
        @tree.at(number(index)) if index >= 0 && index < size
      end

      # @return [String, nil]
      def last = self[-1]

      # @return [Array<String>] all paths
      def to_a
        paths = @tree.to_a
        @chosen ? paths.values_at(*@chosen) : paths
      end

      # What +stat:+ asked for, of each path. A link's own, unless it is followed;
      # 0 for what was gone by then.
      #
      # @param name [Symbol] +:mtime+, in nanoseconds since 1970, or +:size+, in bytes
      # @return [Array<Integer>]
      # @raise [UsageError] for a column that was not asked for
      def column(name)
        @columns.include?(name) or raise UsageError, "no column #{name.inspect}: walk with stat: #{name.inspect}"
        values = @tree.column(name)
        @chosen ? values.values_at(*@chosen) : values
      end

      def inspect = "#<#{self.class} #{size} paths>"

      private

      def number(index) = @chosen ? @chosen[index] : index
    end
  end
end
