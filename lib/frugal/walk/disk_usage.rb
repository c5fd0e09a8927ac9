# frozen_string_literal: true

module Frugal
  module Walk
    # The disk usage of each directory in a walk, as the sum of the sizes below it.
    #
    #   usage = Walk::DiskUsage.of("src", hidden: true)
    #   usage.directories.last   # => ["src", 120934]
    #   usage.total              # => 120934
    #
    # Adds the size (`st_size`) of each path that the walk lists: files, and also
    # directories and links themselves. Paths that an option leaves out are not counted.
    # A file with two names, or one that `follow: :paths` reaches through two links,
    # counts twice. The size of a directory itself counts in its parents only.
    #
    # *Cost*: as {Walk#walk} with `stat: :size`, a String for each path, and an
    # Integer for each directory.
    class DiskUsage
      # @param root [String, #to_path]
      # @param options [Hash] those of {Walk#walk}, except `stat:` and `sort:`
      # @return [DiskUsage, nil] nil if there is no such directory
      # @raise [SystemCallError] if the root itself cannot be read
      # @raise [UsageError] for an invalid option
      def self.of(root, **options)
        list = Options.new(**options, stat: :size, sort: false).list(root)
        list && new(root, list)
      end

      # @return [Integer] how many paths were counted
      attr_reader :paths

      # @param root [String, #to_path] the directory where the walk began
      # @param list [PathList] with the column `:size`
      def initialize(root, list)
        @encoding = list.first&.encoding || Encoding.find("filesystem")
        @paths = list.size
        # The root's path as File.dirname returns it for its entries: "src" for "src/".
        @root = parent(File.join(root, "x"))
        @bytes = { @root => 0 }
        list.to_a.zip(list.column(:size)) { |path, size| @bytes[ensure_listed(parent(path))] += size }
        add_up
      end

      # @return [Integer] bytes below the root
      def total = @bytes[@root]

      # All directories that have an entry, and the root.
      #
      # @return [Array<Array(String, Integer)>] path and bytes, the largest last; among
      #   equal ones a parent comes after its subdirectories
      def directories
        sorted = @bytes.sort_by { |path, bytes| [bytes, -path.count("/"), path] }
        sorted.map { |path, bytes| [path.dup.force_encoding(@encoding), bytes] }
      end

      private

      # Compares paths as bytes: the root may have another encoding than the paths below it.
      def parent(path) = File.dirname(path).force_encoding(Encoding::BINARY)

      # Adds the directory, and its parents, if a filter has left them out of the walk.
      def ensure_listed(directory)
        missing = []
        above = directory
        until @bytes.key?(above)
          missing << above
          above = parent(above)
        end
        missing.reverse_each { |path| @bytes[path] = 0 }
        directory
      end

      # Each directory was inserted after its parents, so the reverse order adds children first.
      def add_up
        @bytes.keys.reverse_each { |path| @bytes[parent(path)] += @bytes[path] unless path == @root }
      end
    end
  end
end
