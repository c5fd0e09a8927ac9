# frozen_string_literal: true

require "rbconfig"
require_relative "../support/gem_cache"
require_relative "../support/jruby"
require_relative "../support/program"
require_relative "phases"

module Frugal
  module RakeBench
    # One way to build a tree. `rake` is the version of Rake; `stock` is the label of the same
    # Rake without frugal, nil for a rival that does not use frugal; `load_path` is the folder
    # of that Rake's library; `in_process` is true for a tool that starts no process per file;
    # `jruby` is the path of JRuby, nil for this Ruby.
    Rival = Struct.new(:label, :argv, :rake, :stock, :load_path, :in_process, :jruby, keyword_init: true) do
      def frugal? = !stock.nil?

      # @return [Rival] the same Rake, under `frugal run`
      def accelerated
        Rival.new(label: "frugal, #{label}", argv: Compare::Side.frugal(argv).argv, rake: rake, stock: label,
                  load_path: load_path, jruby: jruby)
      end

      # @return [Array<String>] the command that runs a script with this Rake on the load path
      def ruby(*arguments)
        command = [jruby || RbConfig.ruby, "-I", load_path, *arguments]
        frugal? ? Compare::Side.frugal(command).argv : command
      end
    end

    # Finds the rivals that this machine has.
    class Rivals
      # Creates the outputs of a clean build, by nothing but open, write and close.
      MAKE_FILES = 'File.foreach(ARGV[0], chomp: true) { |name| File.write(name, "") }'

      # @return [Array<String>] notes about what is missing
      attr_reader :notes

      # @param offline [Boolean] whether the download of the newest Rake is forbidden
      def initialize(offline:)
        @offline = offline
        @notes = []
      end

      # @return [Rival] the `rake` in PATH
      # @raise [Error] when there is none
      def installed
        @installed ||= begin
          version = Bench::Program.version("rake")&.slice(/\d[\w.]*/)
          raise Error, "no rake in PATH: gem install rake" unless version

          Rival.new(label: "rake #{version}", argv: ["rake"], rake: version, load_path: library(version))
        end
      end

      # @return [Array<Rival>] the installed Rake first: it is the baseline of every ratio
      def rakes
        @rakes ||= [installed, newest, jruby].compact.flat_map { |rival| [rival, rival.accelerated] }
      end

      # @return [Array<Rival>] build tools that are not Rake
      def tools
        @tools ||= { "make" => %w[make -rs], "ninja" => %w[ninja] }.filter_map do |name, argv|
          version = Bench::Program.version(name)&.slice(/\d[\w.]*/)
          next Rival.new(label: "#{name} #{version}", argv: argv, in_process: name == "make") if version

          @notes << "#{name} is not installed, so it is not compared"
          nil
        end
      end

      # @param tree [Tree]
      # @return [Rival] only creates the same files: no build can be faster
      def floor(tree)
        names = "#{tree.folder}.outputs"
        File.write(names, tree.edges.keys.join("\n"))
        Rival.new(label: "the files alone", argv: [RbConfig.ruby, "--disable=gems", "-e", MAKE_FILES, names])
      end

      private

      # @return [Rival, nil] the installed Rake under JRuby, where Java and JRuby are present
      def jruby
        version = Bench::JRuby.version
        program = File.expand_path("../exe/rake", installed.load_path)
        unless version && File.exist?(program)
          @notes << Bench::JRuby::ABSENT
          return
        end
        argv = [Bench::JRuby::COMMAND, "-I", installed.load_path, "-r", Phases::CLOCK, program]
        Rival.new(label: "#{version}, #{installed.label}", argv: argv, rake: installed.rake,
                  load_path: installed.load_path, jruby: Bench::JRuby::COMMAND)
      end

      # @return [String] the folder of the installed Rake's library
      def library(version)
        found = specifications.find { |spec| spec.version.to_s == version }&.full_require_paths&.first
        script = "require 'rake'; print File.dirname($\".grep(%r{/rake\\.rb\\z}).first)"
        found || Bench::Program.output(RbConfig.ruby, "-e", script)
      end

      def newest
        home = newest_home or return
        version = File.basename(home).delete_prefix("rake-")
        library = File.join(home, "lib")
        Rival.new(label: "rake #{version}", argv: [RbConfig.ruby, "-I", library, File.join(home, "exe/rake")],
                  rake: version, load_path: library)
      end

      # @return [String, nil] the folder of a Rake that is newer than the installed one
      def newest_home
        newer || (download unless @offline) || begin
          @notes << "no Rake newer than #{installed.rake} was found#{" (--offline)" if @offline}"
          nil
        end
      end

      def newer
        homes = specifications.map(&:full_gem_path) + Dir.glob(File.join(Bench::GemCache.folder, "gems/rake-*"))
        home = homes.select { |path| File.exist?(File.join(path, "exe/rake")) }
                    .max_by { |path| version(path) }
        home if home && version(home) > Gem::Version.new(installed.rake)
      end

      def download
        @notes << "the newest Rake could not be downloaded (gem install rake)" unless Bench::GemCache.fetch("rake")
        newer
      end

      def version(home) = Gem::Version.new(File.basename(home).delete_prefix("rake-"))

      def specifications = Gem::Specification.find_all_by_name("rake")
    end
  end
end
