# frozen_string_literal: true

module Frugal
  module Walk
    # The paths of a walk, in its order. Takes 40 to 70 bytes per path, which it reports
    # to the garbage collector, and creates a String only for a path that is read.
    #
    #   list = Frugal.walk("src", stat: :size)
    #   list.size              # => 204200
    #   list.first             # => "src/a.c"
    #   list.to_a              # all of them at once
    #   list.column(:size)     # => [120, ...]: the bytes of each path's file
    class PathList
      include Enumerable

      # @param tree [Native::C::Tree, Native::Pure::Tree]
      # @param columns [Array<Symbol>]
      # @param chosen [Array<Integer>, nil] indexes of the tree's paths; nil for all
      def initialize(tree, columns, chosen = nil)
        @tree = tree
        @columns = columns
        @chosen = chosen
      end

      # *Cost*: no system call, no allocation.
      #
      # @return [Integer]
      def size = @chosen ? @chosen.size : @tree.size
      alias length size

      def empty? = size.zero?

      # @yieldparam path [String] created just before it is yielded
      def each
        return enum_for(:each) { size } unless block_given?

        size.times { |i| yield @tree.at(tree_index(i)) }
        self
      end

      # @param index [Integer] counts from the end if negative
      # @return [String, nil]
      def [](index)
        index += size if index.negative?
        @tree.at(tree_index(index)) if index >= 0 && index < size
      end

      # @return [String, nil]
      def last = self[-1]

      # @return [Array<String>] all paths
      def to_a
        paths = @tree.to_a
        @chosen ? paths.values_at(*@chosen) : paths
      end

      # One of the values that `stat:` requested, for each path. For a link that is not
      # followed it is the link's own; for a file that no longer exists it is 0.
      #
      # @param name [Symbol] `:mtime`, in nanoseconds since 1970, or `:size`, in bytes
      # @return [Array<Integer>]
      # @raise [UsageError] for a column that `stat:` did not request
      def column(name)
        raise UsageError, "no column #{name.inspect}: walk with stat: #{name.inspect}" unless @columns.include?(name)

        values = @tree.column(name)
        @chosen ? values.values_at(*@chosen) : values
      end

      # @return [String] the class and the number of paths
      def inspect = "#<#{self.class} #{size} paths>"

      private

      def tree_index(index) = @chosen ? @chosen[index] : index
    end
  end
end
