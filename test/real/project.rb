# frozen_string_literal: true

module Real
  # One program of the corpus: what it needs, how its tree is made, what is run in
  # it, and what stock itself does not repeat.
  #
  #   project "builder" do
  #     gems "builder-3.3.0", "rake-13.2.1", "minitest-5.25.5"
  #     tree gem: "builder"
  #     run "rake", "test"
  #   end
  class Project
    attr_reader :name, :about, :command, :environment, :origin, :pinned, :files, :preparations, :status, :needed,
                :substitutions, :varying

    def initialize(name, about, &definition)
      @name = name
      @about = about
      @pinned = []
      @files = {}
      @preparations = []
      @environment = {}
      @needed = []
      @substitutions = {}
      @varying = []
      @origin = {}
      @status = 0
      instance_eval(&definition)
    end

    # The gems it needs, each with its version, the dependencies included; the first is the one that the table names.
    def gems(*names) = @pinned.concat(names.flatten)

    # What its tree is a copy of: `gem: "builder"`, `debian: "mruby"`, or `folder: "dir_stub"` in test/real/corpus.
    def tree(origin) = @origin = origin

    # Files that are written into the tree, path => content.
    def write(files) = @files.update(files)

    # A command that completes the tree, once, stock.
    def prepare(*command) = @preparations << command

    # The command that is compared. It is looked for in the gems' bin, then in PATH.
    def run(*command) = @command = command

    # Variables for the command, and for the preparation.
    def env(variables) = @environment.update(variables)

    # How stock ends, where that is not 0.
    def ends_with(status) = @status = status

    # Programs without which the project is left out.
    def needs(*programs) = @needed.concat(programs)

    # Times and random names that stock does not repeat. Applies to a stream, a file or a path only where two runs of
    # stock differ; see Normaliser.
    def normalise(substitutions) = @substitutions.update(substitutions)

    # Files (globs) whose bytes stock does not repeat, such as compiled caches: they must be there with the same mode,
    # and their bytes do not count.
    def bytes_vary_in(*globs) = @varying.concat(globs)

    # Runs in bin/test too.
    def quick = @quick = true

    def quick? = @quick == true

    # @return [String, nil] the version of the first gem; that of a Debian package is known when it is there
    def version = @pinned.first&.[](/-(\d[\w.]*)\z/, 1)
  end

  # All projects, in the order of the files of test/real/corpus.
  module Corpus
    FOLDER = File.expand_path("corpus", __dir__)

    # Where the files of the corpus are evaluated.
    class Definitions
      attr_reader :projects

      def initialize = @projects = []

      def project(name, about, &definition) = @projects << Project.new(name, about, &definition)
    end

    # @return [Array<Project>]
    def self.projects
      @projects ||= Definitions.new.tap { |all|
        Dir.children(FOLDER).grep(/\.rb\z/).sort.each do |file|
          path = File.join(FOLDER, file)
          all.instance_eval(File.read(path), path)
        end
      }.projects
    end
  end
end
