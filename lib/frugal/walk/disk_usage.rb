# frozen_string_literal: true

module Frugal
  module Walk
    # The bytes below each directory of a walk.
    #
    #   usage = Walk::DiskUsage.of("src", hidden: true)
    #   usage.directories.last   # => ["src", 120934]
    #   usage.total              # => 120934
    #
    # What counts is the size (+st_size+) of each path that the walk lists: of
    # files, and of directories and links themselves. So an option that leaves
    # paths out leaves their bytes out, and a file with two names, or one that is
    # reached by two links with <tt>follow: :paths</tt>, counts twice: a walk does
    # not know that it is one. A directory's own size counts in those above it.
    #
    # *Cost*: as {Walk#walk} with <tt>stat: :size</tt>, a String for each path, and
    # a sum for each directory.
    class DiskUsage
      # @param root [String, #to_path]
      # @param options [Hash] those of {Walk#walk}, but +stat:+ and +sort:+
      # @return [DiskUsage, nil] nil where there is no such directory
      # @raise [SystemCallError] where the root itself cannot be read
      # @raise [UsageError] for an option's value that makes no sense
      def self.of(root, **options)
        list = Options.new(**options, stat: :size, sort: false).list(root)
        list && new(root, list)
      end

      # @return [Integer] how many paths were counted
      attr_reader :paths

      # @param root [String, #to_path] where the walk began
      # @param list [PathList] with the column +:size+
      def initialize(root, list)
        @encoding = list.first&.encoding || Encoding.find("filesystem")
        @paths = list.size
        # The root as the parent of its entries: "src" of "src/".
        @root = parent(File.join(root, "x"))
        @bytes = { @root => 0 }
        list.to_a.zip(list.column(:size)) { |path, size| @bytes[known(parent(path))] += size }
        add_up
      end

      # @return [Integer] bytes below the root
      def total = @bytes[@root]

      # All directories that have something below them, and the root.
      #
      # @return [Array<Array(String, Integer)>] path and bytes, the largest last; of
      #   equal ones the upper last
      def directories
        @bytes.sort_by { |path, bytes| [bytes, -path.count("/"), path] }.map { |path, bytes| [path.dup.force_encoding(@encoding), bytes] }
      end

      private

      # Paths are bytes here: a root that is told in another encoding than what is
      # below it is the same directory.
      def parent(path) = File.dirname(path).force_encoding(Encoding::BINARY)

      # A filter may have left out the directories above a path.
      def known(directory)
        missing = []
        above = directory
        until @bytes.key?(above)
          missing << above
          above = parent(above)
        end
        missing.reverse_each { |path| @bytes[path] = 0 }
        directory
      end

      # A directory came into the table after all that are above it.
      def add_up
        @bytes.keys.reverse_each { |path| @bytes[parent(path)] += @bytes[path] unless path == @root }
      end
    end
  end
end
