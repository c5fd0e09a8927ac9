# frozen_string_literal: true

require "fileutils"
require_relative "phases"

module Frugal
  module RakeBench
    # A project on disk that Rake, make and ninja can build. Its Rakefile, Makefile and
    # build.ninja describe the same files and edges. Each is written in the usual style of
    # its tool (globs if the tool has them, loops in Ruby), with the cheapest action of that
    # tool that creates an empty file.
    class Tree
      attr_reader :folder

      # @param folder [String] the folder to create
      def initialize(folder)
        @folder = folder
      end

      # @return [Array<String>] relative names of the files that are not built
      def sources = []

      # @return [Hash{String => Array<String>}] output → its prerequisites, in an order in which they can be built
      def edges = {}

      # @return [Array<String>] the outputs of the default target
      def goals = edges.keys

      # @return [Integer] number of files, built or not
      def size = sources.size + edges.size

      # Writes the sources and the build files. The sources are a day old.
      def write
        %w[src out].each { |name| FileUtils.mkdir_p(File.join(folder, name)) }
        old = Time.now - 86_400
        sources.each { |name| File.write(path(name), "").then { File.utime(old, old, path(name)) } }
        File.write(path("Rakefile"), Phases.marked(rakefile))
        File.write(path("Makefile"), makefile)
        File.write(path("build.ninja"), ninja)
      end

      # Creates all outputs, as after a build.
      def build
        edges.each_key { |name| File.write(path(name), "") unless File.exist?(path(name)) }
      end

      # Removes all outputs, as before the first build.
      def clean
        edges.each_key { |name| File.unlink(path(name)) if File.exist?(path(name)) }
      end

      # @return [Boolean] whether every output exists
      def built? = Dir.children(path("out")).size == edges.size

      # @return [Array<Time>] the times of some outputs, which do not change if nothing is built
      def times
        names = edges.keys
        [0, names.size / 2, -1].filter_map { |i| names[i] }.map { |name| File.mtime(path(name)) }
      end

      def path(name) = File.join(folder, name)

      private

      def makefile
        rules = edges.map { |output, inputs| "#{output}: #{inputs.join(" ")}\n\t$(file >$@)\n" }
        "all: #{goals.join(" ")}\n#{rules.join}.PHONY: all\n"
      end

      def ninja
        builds = edges.map { |output, inputs| "build #{output}: create #{inputs.join(" ")}\n" }
        "rule create\n  command = : > $out\n#{builds.join}build all: phony #{goals.join(" ")}\ndefault all\n"
      end
    end
  end
end
