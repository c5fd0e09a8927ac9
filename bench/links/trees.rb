# frozen_string_literal: true

require "fileutils"

module Frugal
  module LinksBench
    # Writes the trees that are listed. Each public method writes one and returns its root.
    class Trees
      # [main:]  outer directories, directories in each, files in each of those
      # [shape:] the same, for the trees with links and for the plain tree
      # [chain:] levels, files in each
      # [mesh:]  layers, directories in each; each directory links to all of the next layer
      FULL = { main: [200, 20, 50], shape: [50, 20, 50], chain: [300, 10], mesh: [7, 4] }.freeze
      QUICK = { main: [4, 3, 10], shape: [4, 3, 10], chain: [20, 2], mesh: [5, 3] }.freeze
      ENDINGS = %w[c h rb txt o].freeze

      # @param folder [String] absolute
      # @param quick [Boolean]
      def initialize(folder, quick:)
        @folder = folder
        @sizes = quick ? QUICK : FULL
      end

      def main = grid("main", :main) { |path| File.write(path, "") }

      # The tree without links, to which the links of the other trees lead.
      def plain = grid("plain", :shape) { |path| File.write(path, "") }

      # The outer directories contain links to directories of the plain tree.
      def directory_links
        plain = File.join(@folder, "plain")
        outer("directory-links", :shape) do |directory, name|
          FileUtils.mkdir_p(File.dirname(directory))
          File.symlink(File.join(plain, name), directory)
        end
      end

      # Real directories; each file is a link to a file of the plain tree.
      def file_links
        plain = File.join(@folder, "plain")
        grid("file-links", :shape) { |path, name| File.symlink(File.join(plain, name), path) }
      end

      # In each inner directory, one link leads to the outer directory and one to the root.
      def cycles
        grid("cycles", :shape) do |path, _, number|
          case number
          when 0 then File.symlink("..", path)
          when 1 then File.symlink("../..", path)
          else File.write(path, "")
          end
        end
      end

      # Each layer multiplies the number of paths.
      def mesh
        layers, width = @sizes[:mesh]
        root = File.join(@folder, "mesh")
        layers.times do |layer|
          width.times do |i|
            directory = File.join(root, "l#{layer}d#{i}")
            FileUtils.mkdir_p(directory)
            File.write(File.join(directory, "file"), "")
            width.times { |j| File.symlink("../l#{layer + 1}d#{j}", File.join(directory, "to#{j}")) } if layer + 1 < layers
          end
        end
        root
      end

      def chain
        levels, files = @sizes[:chain]
        root = File.join(@folder, "chain")
        levels.times.inject(root) do |directory, _|
          FileUtils.mkdir_p(directory)
          files.times { |i| File.write(File.join(directory, "file#{i}"), "") }
          File.join(directory, "d")
        end
        root
      end

      private

      # @yieldparam path [String] of a file to create
      # @yieldparam name [String] the path below the root
      # @yieldparam number [Integer] of the file in its directory
      def grid(tree, size)
        outer(tree, size) do |directory, folder|
          FileUtils.mkdir_p(directory)
          @sizes[size].last.times do |number|
            name = format("f%02d.%s", number, ENDINGS[number % ENDINGS.size])
            yield File.join(directory, name), File.join(folder, name), number
          end
        end
      end

      def outer(tree, size)
        root = File.join(@folder, tree)
        outer, inner, = @sizes[size]
        outer.times do |i|
          inner.times do |j|
            name = format("d%03d/e%02d", i, j)
            yield File.join(root, name), name
          end
        end
        root
      end
    end
  end
end
