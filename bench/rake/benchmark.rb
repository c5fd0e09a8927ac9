# frozen_string_literal: true

require_relative "cases"
require_relative "rivals"
require_relative "session"
require_relative "results"
require_relative "report"
require_relative "../support/run"
require_relative "../support/system_calls"

module Frugal
  module RakeBench
    # Parts of Rake that are timed inside of a process.
    MICRO = {
      "pathmap" => 'pathmap("%{^src,out}X.o") of %s names',
      "ext" => 'ext(".o") of %s names',
      "names" => "FileList: include %s names, exclude 20 of them",
      "patterns" => "FileList: include %s names, exclude a glob and a regexp",
      "glob" => 'FileList["src/*.c"], %s files'
    }.freeze

    # Variables that change the stock runs; they are unset.
    VARIABLES = %w[RUBYOPT RUBYLIB FRUGAL FRUGAL_RAKE FRUGAL_ONLY FRUGAL_EXCEPT FRUGAL_VERBOSE
                   RAKEOPT MAKEFLAGS MAKELEVEL BUNDLE_GEMFILE].freeze

    # Generates the projects and measures the rivals.
    class Benchmark < Bench::Run
      # @return [Results]
      attr_reader :results

      # @param options [Hash] the parsed options of the command line
      def initialize(options)
        VARIABLES.each { |name| ENV.delete(name) }
        super("rake", options)
        @rivals = Rivals.new(offline: options[:offline])
      end

      # @return [self]
      def run
        in_folder do
          @results = Results.new(@rivals.installed, quick: @options[:quick])
          prepare
          Cases::NAMES.each { |name| measure(@cases[name]) if name == "boot" || @options[:only].include?(name) }
          MICRO.each_key { |name| measure_micro(name) if @options[:only].include?(name) }
        end
        @notes = @rivals.notes + @notes
        self
      end

      private

      def prepare
        scratch = File.join(@folder, "runs").tap { |path| Dir.mkdir(path) }
        reason = Bench::SystemCalls.unavailable(scratch)
        @notes << "stat calls were not counted: #{reason}" if reason
        @cases = Cases.new(File.join(@folder, "trees"), quick: @options[:quick])
        @session = Session.new(runner: Compare::Runner.new(scratch), scratch: scratch, trace: reason.nil?,
                               warmup: @options[:quick] ? 0 : 1, **@options.slice(:rounds, :patience), &@progress)
      end

      def measure(subject)
        generate(subject.tree)
        rivals = [*@rivals.rakes, *@rivals.tools]
        rivals << @rivals.floor(subject.tree) if subject.clean
        @results.add(subject.name, subject.title, @session.measure(subject, rivals))
      end

      def measure_micro(name)
        tree = generate(@cases["p10000"].tree)
        title = MICRO[name].sub("%s", Readable.count(tree.edges.size))
        script = File.join(__dir__, "micro.rb")
        @results.add(name, title, @session.measure_inside(@rivals.rakes, script, name, tree.edges.size.to_s, tree.folder))
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
