# frozen_string_literal: true

require_relative "cases"
require_relative "rivals"
require_relative "stat_calls"
require_relative "results"
require_relative "../support/run"

module Frugal
  module RakeBench
    # Variables that change the stock runs; they are unset.
    VARIABLES = %w[RUBYOPT RUBYLIB FRUGAL FRUGAL_RAKE FRUGAL_ONLY FRUGAL_EXCEPT FRUGAL_VERBOSE
                   RAKEOPT MAKEFLAGS MAKELEVEL BUNDLE_GEMFILE].freeze

    # Generates the projects and measures the rivals. A rival that has used up its time (--patience) with one case skips
    # the remaining rounds.
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
        @scratch = File.join(@folder, "runs").tap { |path| Dir.mkdir(path) } # outside of all trees
        @runner = Compare::Runner.new(@scratch)
        @trace = count?("stat calls were not counted")
        @cases = Cases.new(File.join(@folder, "trees"), quick: quick?)
      end

      # The counting runs come after the timed rounds.
      def measure(subject)
        generate(subject.tree)
        rivals = [*@rivals.rakes, *@rivals.tools]
        rivals << @rivals.floor(subject.tree) if subject.clean
        rows = add(subject, rivals)
        Dir.chdir(subject.tree.folder) do
          warm_up_and_rounds(rows) { |row, round| time(subject, row, round) }
          rows.reject(&:death).each { |row| count(subject, row) }
        end
      end

      # Runs a script that measures itself, so that the boot of Ruby is not included.
      def measure_micro(name)
        tree = generate(@cases["p10000"].tree)
        files = tree.edges.size
        rows = add(Micro.new(name, MICRO[name].sub("%s", Readable.count(files))), @rivals.rakes)
        warm_up_and_rounds(rows) do |row, round|
          say(row, "round #{round + 1}")
          sample = @runner.run(row.rival.ruby(File.join(__dir__, "micro.rb"), name, files.to_s, tree.folder))
          record(row, round, sample, File.read(sample.stdout).to_f, nil, fault(sample))
        end
      end

      def add(subject, rivals) = @results.add(subject, rivals.map { |rival| Row.new(subject, rival) })

      # Builds the tree with ninja first, because ninja does not accept a build that is not in its log.
      def generate(tree)
        return tree if File.exist?(tree.path("Rakefile"))

        @progress.call("generating #{tree.size} files in #{tree.folder}")
        tree.write
        system("ninja", "-C", tree.folder, out: File::NULL, err: File::NULL)
        tree.build
        tree
      end

      # Rounds below zero are the warm-up.
      def warm_up_and_rounds(rows)
        ((quick? ? 0 : -1)...@options[:rounds]).each do |round|
          rotate(rows, round).each { |row| yield row, round if continue?(row) }
        end
      end

      def continue?(row)
        return false if row.death

        row.rounds.zero? || row.spent + row[:time].measured.last <= @options[:patience]
      end

      def time(subject, row, round)
        step = round.negative? ? "warm-up" : "round #{round + 1} of #{@options[:rounds]}"
        say(row, step)
        phases = File.join(@scratch, "phases")
        sample = build(subject, row.rival.argv, env: Phases.environment(phases))
        measured = Phases.take(phases)
        row.phases[round] = measured unless round.negative?
        record(row, round, sample, sample.wall, sample.cpu, fault(sample) || (subject.fault unless round.negative?))
      end

      def record(row, round, sample, wall, cpu, death)
        sample.discard
        row.spent += sample.wall
        row.death = death
        return if round.negative? || death

        row[:time][round] = wall
        row[:cpu][round] = cpu
      end

      def build(subject, argv, env: {})
        subject.prepare.call
        @runner.run(argv, env: env)
      end

      # @return [String, nil] the name of the error that the program printed, or else how it ended; nil if it succeeded
      def fault(sample)
        return if sample.status.success?

        names = File.foreach(sample.stderr, encoding: Encoding::BINARY).lazy.map { |line| line[/\b[A-Z]\w*Error\b/] }
        names.find(&:itself) || sample.ending
      end

      def count(subject, row)
        say(row, "counting")
        row.stat_calls = stat_calls(subject, row.rival) if @trace && traceable?(subject, row.rival)
        return unless row.rival.rake && (subject.clean || subject.name == "boot")

        row.exceptions = exceptions(subject, row.rival)
      end

      # Tracing a process for each file would take minutes.
      def traceable?(subject, rival) = !subject.clean || rival.rake || rival.in_process

      def stat_calls(subject, rival)
        StatCalls.count(subject.tree.folder, File.join(@scratch, "stat_calls")) do |prefix|
          sample = build(subject, [*prefix, *rival.argv]).tap(&:discard)
          return nil unless sample.status.success? # strace is too old for these options
        end
      end

      def exceptions(subject, rival)
        path = File.join(@scratch, "counts")
        build(subject, rival.argv, env: Compare::Counts.environment(path)).discard
        Compare::Counts.read(path)&.exceptions
      ensure
        File.unlink(path) if File.exist?(path)
      end
    end
  end
end
