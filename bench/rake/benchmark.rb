# frozen_string_literal: true

require_relative "cases"
require_relative "rivals"
require_relative "session"
require_relative "results"
require_relative "../support/run"

module Frugal
  module RakeBench
    # Variables that change the stock runs; they are unset.
    VARIABLES = %w[RUBYOPT RUBYLIB FRUGAL FRUGAL_RAKE FRUGAL_ONLY FRUGAL_EXCEPT FRUGAL_VERBOSE
                   RAKEOPT MAKEFLAGS MAKELEVEL BUNDLE_GEMFILE].freeze

    # Generates the projects and measures the rivals.
    class Benchmark < Bench::Run
      # @param name [String]
      # @param options [Hash] the parsed options of the command line
      def initialize(name, options)
        VARIABLES.each { |variable| ENV.delete(variable) }
        @rivals = Rivals.new(offline: options[:offline])
        super
      end

      private

      # The installed Rake is looked for once the folder is there.
      def new_results = nil

      def measure_all
        @results = Results.new(@rivals.installed, quick: quick?)
        prepare
        Cases::NAMES.each { |name| measure(@cases[name]) if name == "boot" || @options[:only].include?(name) }
        MICRO.each_key { |name| measure_micro(name) if @options[:only].include?(name) }
        @notes = @rivals.notes + @notes
      end

      def prepare
        scratch = File.join(@folder, "runs").tap { |path| Dir.mkdir(path) }
        trace = count?("stat calls were not counted")
        @cases = Cases.new(File.join(@folder, "trees"), quick: quick?)
        @session = Session.new(runner: Compare::Runner.new(scratch), scratch: scratch, trace: trace,
                               warmup: quick? ? 0 : 1, **@options.slice(:rounds, :patience), &@progress)
      end

      def measure(subject)
        generate(subject.tree)
        rivals = [*@rivals.rakes, *@rivals.tools]
        rivals << @rivals.floor(subject.tree) if subject.clean
        @results.add(subject, @session.measure(subject, rivals))
      end

      def measure_micro(name)
        tree = generate(@cases["p10000"].tree)
        files = tree.edges.size
        subject = Micro.new(name, MICRO[name].sub("%s", Readable.count(files)))
        script = File.join(__dir__, "micro.rb")
        @results.add(subject, @session.measure_inside(subject, @rivals.rakes, script, files.to_s, tree.folder))
      end

      # Builds the tree with ninja first, because ninja does not accept a build that is not in its log.
      def generate(tree)
        return tree if File.exist?(tree.path("Rakefile"))

        @progress.call("generating #{tree.size} files in #{tree.folder}")
        tree.write
        system("ninja", "-C", tree.folder, out: File::NULL, err: File::NULL)
        tree.build
        tree
      end
    end
  end
end
