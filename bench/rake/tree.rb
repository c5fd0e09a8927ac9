# frozen_string_literal: true

require "fileutils"

module Frugal
  module RakeBench
    # A project on disk that Rake, make and ninja build alike: the same files and
    # edges as Rakefile, Makefile and build.ninja. Each tool's file is written as
    # its users write it: globs where the tool has them, loops in Ruby, and an
    # action that makes an empty file as cheaply as the tool can.
    class Tree
      attr_reader :folder

      # @param folder [String] where it will be
      def initialize(folder)
        @folder = folder
      end

      # @return [Array<String>] relative names of what is never built
      def sources = []

      # @return [Hash{String => Array<String>}] output → what it is made of, in an order to build in
      def edges = {}

      # @return [Array<String>] the outputs that are asked for
      def goals = edges.keys

      # @return [Integer] files, built or not
      def size = sources.size + edges.size

      # Writes sources and build files. Sources are a day old.
      def write
        %w[src out].each { |name| FileUtils.mkdir_p(File.join(folder, name)) }
        old = Time.now - 86_400
        sources.each { |name| File.write(path(name), "").then { File.utime(old, old, path(name)) } }
        File.write(path("Rakefile"), rakefile)
        File.write(path("Makefile"), makefile)
        File.write(path("build.ninja"), ninja)
      end

      # As after a build by none of the rivals.
      def build
        edges.each_key { |name| File.write(path(name), "") unless File.exist?(path(name)) }
      end

      # As before the first build; not timed.
      def clean
        edges.each_key { |name| File.unlink(path(name)) if File.exist?(path(name)) }
      end

      # @return [Boolean] whether every output is there
      def built? = Dir.children(path("out")).size == edges.size

      # @return [Array<Time>] of some outputs: an unchanged tree keeps them
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
