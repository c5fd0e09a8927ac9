# frozen_string_literal: true

module Real
  # One program of the corpus: its gems, how its tree is made, the command that is run in
  # it, and the output that stock itself does not repeat.
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

    # The gems that it needs: words with names and versions, which include the dependencies, or a name in SETS. The
    # version of the first one is shown in the table.
    def gems(*names) = @pinned.concat(names.flat_map { |name| SETS.fetch(name) { name.split } })

    # The source of its tree: `gem: "builder"`, `folder: "dir_stub"` in test/real/corpus, or
    # `checkout: "MRUBY_CHECKOUT"`, the folder that this variable names (without it the project is skipped).
    def tree(origin) = @origin = origin

    # Files that are written into the tree, path => content.
    def write(files) = @files.update(files)

    # A command that completes the tree. It runs once, without frugal.
    def prepare(*command) = @preparations << command

    # The command that is compared. It is searched in the gems' bin folder, then in PATH.
    def run(*command) = @command = command

    # Environment variables for the command and for the preparations.
    def env(variables) = @environment.update(variables)

    # The exit status of stock, if it is not 0.
    def ends_with(status) = @status = status

    # Programs without which the project is skipped.
    def needs(*programs) = @needed.concat(programs)

    # Replaces times and random names. Applies to a stream, a file or a path only where two runs of stock differ; see
    # Normaliser.
    def normalise(substitutions) = @substitutions.update(substitutions)

    # Globs of files whose bytes differ between two runs of stock, such as compiled caches: they must exist with the
    # same mode, and their bytes are not compared.
    def bytes_vary_in(*globs) = @varying.concat(globs)

    # bin/test runs the project, too.
    def quick = @quick = true

    def quick? = @quick == true

    # @return [String, nil] the version of the first gem
    def version = @pinned.first&.[](/-(\d[\w.]*)\z/, 1)
  end

  # All projects, in the order of the files of test/real/corpus.
  module Corpus
    FOLDER = File.expand_path("corpus", __dir__)

    # The files of the corpus are evaluated in an instance of this class.
    class Definitions
      attr_reader :projects

      def initialize = @projects = []

      def project(name, about, &definition) = @projects << Project.new(name, about, &definition)
    end

    # @return [Array<Project>]
    def self.projects
      @projects ||= Definitions.new.tap do |all|
        Dir.children(FOLDER).grep(/\.rb\z/).sort.each do |file|
          path = File.join(FOLDER, file)
          all.instance_eval(File.read(path), path)
        end
      end.projects
    end
  end
end
