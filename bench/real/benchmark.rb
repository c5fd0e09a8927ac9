# frozen_string_literal: true

require_relative "results"
require_relative "../support/run"

module Frugal
  module RealBench
    # Measures the sized programs in folders of its own, and the real ones where test/real keeps them.
    class Benchmark < Bench::Run
      include Bench::Sides

      CORPUS = File.expand_path("../../test/real", __dir__)
      # Runs in which a program keeps its bytecode, at most: rubocop, of 1,340 files, takes eight.
      KEEPING = 15

      private

      def measure_all
        @runner = Compare::Runner.new(@folder)
        @count = count?
        sizes.each { |size| measure_sized(size) }
        programs.each { |name| measure_program(name) }
      end

      def sizes = quick? ? @options[:sizes].first(2) : @options[:sizes]

      def programs
        wanted = Cases::PROGRAMS.keys & @options[:only]
        return [] if wanted.empty? || (quick? && @options[:only] == Cases::NAMES)
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
          names.each { |name| compare(@results.add(name, size), Cases.command(name, size), count: @count) }
        end
      end

      def measure_program(name)
        project = Real::Corpus.projects.find { |one| one.name == Cases::PROGRAMS[name] }
        store = Real::Store.new(project) { |line| @progress.call("#{name}: #{line}") }
        store.provide
        store.restore
        row = @results.add(name)
        compare_program(row, store, ["/bin/sh", "-c", 'cd "$0" && exec "$@"', store.tree, *store.command], # its folder is made anew
                        "exit status #{project.status}")
      rescue Real::LeftOut, Real::Broken, Bench::Sides::Failed => e
        @results.remove(row) if row
        @notes << "#{name} is not measured: #{e.message}"
      ensure
        store&.remove_runs
      end

      def compare_program(row, store, command, ending)
        keep_bytecode(row.label, command, store, ending)
        compare(row, command, store.environment, ending: ending, count: @count) { store.restore }
        row.dropins = dropins(command, store, ending)
      end

      # Runs the program until it keeps nothing more. Each run spends a tenth of its time on that, at most.
      def keep_bytecode(name, command, store, ending)
        kept = nil
        (quick? ? 1 : KEEPING).times do |run|
          @progress.call("#{name}, keeping its bytecode, run #{run + 1} of at most #{KEEPING}")
          store.restore
          sample(Compare::Side.frugal(command).argv, store.environment, ending)
          before, kept = kept, Frugal.count(store.environment.fetch("FRUGAL_BOOT"))
          break if kept == before
        end
      end

      def dropins(command, store, ending)
        counts = File.join(@folder, "counts")
        store.restore
        sample(Compare::Side.frugal(command).argv, { **store.environment, **Compare::Counts.environment(counts, store.environment) }, ending)
        (Compare::Counts.read(counts)&.dropins || []).select { |one| one[:state] == "on" }.map { |one| one[:name] }
      end
    end
  end
end
