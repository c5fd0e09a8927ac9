# frozen_string_literal: true

require_relative "cold"
require_relative "counting"
require_relative "results"
require_relative "tree"
require_relative "../support/deep"
require_relative "../support/run"

module Frugal
  module ProbesBench
    # Generates a tree and measures the idioms.
    class Benchmark < Bench::Run
      COUNTED = { false => 100, true => 10 }.freeze # questions of each kind in the counting run, by quick

      WARM_UPS = RUBY_ENGINE == "jruby" ? 10 : 1 # JRuby and the JVM compile what has been called often

      # @return [Results]
      attr_reader :results

      # @param options [Hash] the parsed options of the command line
      def initialize(options) = super("probes", options)

      # @return [self]
      def run
        in_folder do
          prepare
          count
          cells = QUESTIONS.keys.product(PRESENCE)
          warm_cells = cells.product(Results::DEPTHS).map(&:flatten)
          WARM_UPS.times { warm_cells.each { |question, presence, depth| answers(question, presence, depth, IDIOMS) } }
          @options[:rounds].times { |round| warm_cells.each { |cell| warm(round, *cell) } }
          @options[:cold_rounds].times { |round| cells.each { |cell| cold(round, *cell) if @cold.possible?(*cell) } }
        end
        self
      end

      private

      def prepare
        @tree = Tree.new(File.join(@folder, "tree"), quick: @options[:quick])
        @results = Results.new(@tree.size, quick: @options[:quick])
        @cold = Cold.new(@options[:cold], @tree, @machine[:file_system])
        @notes << @cold.note
        @progress.call("generating #{@tree.size} directories in #{@tree.folder}")
        @tree.write
        @cold.write_back
        @paths = QUESTIONS.keys.product(PRESENCE).to_h { |cell| [cell, @tree.paths(*cell)] }
      end

      def count
        @progress.call("counting system calls and exceptions")
        counting = Counting.new(@tree, @folder, COUNTED.fetch(@options[:quick]))
        @results.costs = counting.costs
        @notes << "system calls were not counted: #{counting.reason}" if counting.reason
      end

      def warm(round, question, presence, depth)
        @progress.call("#{question}, #{presence}, #{depth} frames deep, round #{round + 1} of #{@options[:rounds]}")
        answers(question, presence, depth, rotate(IDIOMS, round)) do |idiom, time|
          @results.series(question, presence, depth, idiom::LABEL).times[round] = time / @tree.size
        end
      end

      def cold(round, question, presence)
        rotate(IDIOMS, round).each do |idiom|
          @progress.call("#{question}, #{presence}, cold, round #{round + 1} of #{@options[:cold_rounds]}, #{idiom::LABEL}")
          @cold.drop_caches
          answers(question, presence, 0, [idiom]) do |_, time|
            @results.series(question, presence, :cold, idiom::LABEL).times[round] = time / @tree.size
          end
        end
      end

      # @yieldparam idiom [Module]
      # @yieldparam time [Float] seconds for all paths
      # @raise [Error] if an idiom found a missing path or did not find an existing one
      def answers(question, presence, depth, idioms)
        paths = @paths.fetch([question, presence])
        idioms.each do |idiom|
          found = nil
          time = Bench.deep(depth) { seconds { found = idiom.public_send(question, paths) } }
          expected = presence == :present ? paths.size : 0
          found == expected or
            raise Error, "#{idiom::LABEL}, #{question}, #{presence}: found #{found} instead of #{expected}"
          yield idiom, time if block_given?
        end
      end
    end
  end
end
