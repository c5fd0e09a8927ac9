# frozen_string_literal: true

require "fileutils"

module Frugal
  module ProbesBench
    # Directories with a few files each, and names that do not exist.
    class Tree
      FILES = 4
      BYTES = 512
      SIZES = { false => [50, 50], true => [4, 5] }.freeze # by quick: directories, and directories in each

      attr_reader :folder

      # @param folder [String] absolute
      # @param quick [Boolean]
      def initialize(folder, quick:)
        @folder = folder
        outer, inner = SIZES.fetch(quick)
        @directories = Array.new(outer * inner) { |i| File.join(folder, "d#{i / inner}", "e#{i % inner}") }
      end

      # @return [Integer] number of directories, and thus of questions in one run
      def size = @directories.size

      # @return [self]
      def write
        @directories.each do |directory|
          FileUtils.mkdir_p(directory)
          FILES.times { |i| File.write(File.join(directory, "f#{i}"), "x" * BYTES) }
        end
        self
      end

      # @param question [Symbol] a key of {QUESTIONS}
      # @param presence [Symbol] one of {PRESENCE}
      # @return [Array<String>]
      def paths(question, presence)
        names = question == :entries ? @directories : files
        presence == :present ? names : names.map { |name| "#{name}~" }
      end

      # @return [Array<String>] one file in each directory
      def files = @directories.map { |directory| File.join(directory, "f0") }
    end
  end
end
