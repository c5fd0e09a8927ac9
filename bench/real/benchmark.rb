# frozen_string_literal: true

require_relative "results"
require_relative "../support/run"
require_relative "../support/system_calls"

module Frugal
  module RealBench
    # Measures the sized programs in folders of its own, and the real ones where test/real keeps them.
    class Benchmark < Bench::Run
      CORPUS = File.expand_path("../../test/real", __dir__)
      # A program has not ended as it should.
      class Failed < Error; end
      private_constant :Failed
      # Runs in which a program keeps its bytecode, at most: rubocop, of 1,340 files, takes eight.
      KEEPING = 15

      # @return [Results]
      attr_reader :results

      # @param options [Hash] the parsed options of the command line
      def initialize(options)
        super("real", options)
        @results = Results.new
        @ending = "exit status 0"
      end

      # @return [self]
      def run
        in_folder do
          @runner = Compare::Runner.new(@folder)
          @uncounted = Bench::SystemCalls.unavailable(@folder)
          @notes << "system calls are not counted: #{@uncounted}" if @uncounted
          sizes.each { |size| measure_sized(size) }
          programs.each { |name| measure_program(name) }
        end
        self
      end

      private

      def sizes = @options[:quick] ? @options[:sizes].first(2) : @options[:sizes]

      def rounds = @options[:quick] ? 1 : @options[:rounds]

      def programs
        wanted = Cases::PROGRAMS.keys & @options[:only]
        return [] if wanted.empty? || (@options[:quick] && @options[:only] == Cases::NAMES)
        raise Error, "the real programs are in a checkout of frugal only: test/real is missing" unless File.exist?(CORPUS)

        require "#{CORPUS}/project"
        require "#{CORPUS}/store"
        wanted
      end

      def measure_sized(size)
        names = Cases::SIZED.keys & @options[:only]
        return if names.empty?

        folder = File.join(@folder, size.to_s)
        Dir.mkdir(folder)
        Dir.chdir(folder) do
          Cases.prepare(size)
          names.each { |name| measure(@results.add(name, size), Cases.command(name, size)) { nil } }
        end
      end

      def measure_program(name)
        project = Real::Corpus.projects.find { |one| one.name == Cases::PROGRAMS[name] }
        store = Real::Store.new(project) { |line| @progress.call("#{name}: #{line}") }
        store.provide
        store.restore
        row = @results.add(name)
        @ending = "exit status #{project.status}"
        command = ["/bin/sh", "-c", 'cd "$0" && exec "$@"', store.tree, *store.command] # its folder is made anew
        keep_bytecode(name, command, store)
        measure(row, command, store.environment) { store.restore }
        row.dropins = dropins(command, store)
      rescue Real::LeftOut, Real::Broken, Failed => e
        @results.rows.delete(row)
        @notes << "#{name} is not measured: #{e.message}"
      ensure
        store&.remove_runs
      end

      # Runs the program until it keeps nothing more. Each run spends a tenth of its time on that, at most.
      def keep_bytecode(name, command, store)
        kept = nil
        (@options[:quick] ? 1 : KEEPING).times do |run|
          @progress.call("#{name}, keeping its bytecode, run #{run + 1} of at most #{KEEPING}")
          store.restore
          sample(Compare::Side.frugal(command).argv, store.environment)
          before, kept = kept, Frugal.count(store.environment.fetch("FRUGAL_BOOT"))
          break if kept == before
        end
      end

      def measure(row, command, env = {}, &prepare)
        sides = [Compare::Side.stock(command), Compare::Side.frugal(command)]
        row.calls = sides.map { |side| calls(side, row, env, &prepare) } unless @uncounted
        (rounds + 1).times do |round|
          @progress.call("#{row.name} #{row.size}, round #{round} of #{rounds}")
          times = rotate(sides, round).to_h do |side|
            prepare.call
            [side.name, sample(side.argv, env).cpu]
          end
          row.cpu << times.values_at(:stock, :frugal) unless round.zero? # the warm-up
        end
      end

      def calls(side, row, env)
        yield
        @progress.call("#{row.name} #{row.size}, counting, #{side.name}")
        table = File.join(@folder, "table")
        sample(["setarch", "-R", *Bench::SystemCalls.prefix(table), *side.argv], env)
        Bench::SystemCalls.parse(File.read(table)).total
      end

      def dropins(command, store)
        counts = File.join(@folder, "counts")
        store.restore
        sample(Compare::Side.frugal(command).argv, { **store.environment, **Compare::Counts.environment(counts, store.environment) })
        (Compare::Counts.read(counts)&.dropins || []).select { |one| one[:state] == "on" }.map { |one| one[:name] }
      end

      def sample(argv, env)
        @runner.run(argv, env: env).tap do |sample|
          failed(argv, sample) unless sample.ending == @ending
          sample.discard
        end
      end

      def failed(argv, sample)
        said = File.read(sample.stderr).scrub.lines(chomp: true).first(2)
        raise Failed, ["#{argv.last(3).join(" ")} ended with #{sample.ending}", *said].join(": ")
      end
    end
  end
end
