# frozen_string_literal: true

module Real
  # One program of the corpus: what it needs, how its tree is made, what is run in
  # it, and what stock itself does not repeat.
  #
  #   project "builder" do
  #     gems "builder-3.3.0", :minitest
  #     tree gem: "builder"
  #     run "rake", "test"
  #   end
  class Project
    # Gems that several projects need.
    SETS = {
      minitest: %w[minitest-5.25.5 rake-13.2.1],
      rspec: %w[rspec-3.13.0 rspec-core-3.13.3 rspec-expectations-3.13.3 rspec-mocks-3.13.2 rspec-support-3.13.2
                diff-lcs-1.5.1],
      simplecov: %w[simplecov-0.22.0 simplecov-html-0.13.1 simplecov_json_formatter-0.1.4 docile-1.4.1]
    }.freeze

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

    # The gems it needs, as words, each with its version, the dependencies included, or a name in SETS; the first is the
    # one that the table names.
    def gems(*names) = @pinned.concat(names.flat_map { |name| SETS.fetch(name) { name.split } })

    # What its tree is a copy of: `gem: "builder"`, `folder: "dir_stub"` in test/real/corpus, or
    # `checkout: "MRUBY_CHECKOUT"`, the folder that this variable names (without it the project is left out).
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

    # @return [String, nil] the version of the first gem
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
