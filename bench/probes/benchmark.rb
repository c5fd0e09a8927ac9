# frozen_string_literal: true

require_relative "cold"
require_relative "counting"
require_relative "results"
require_relative "tree"
require_relative "../support/deep"
require_relative "../support/run"

module Frugal
  module ProbesBench
    # One run from a generated tree to results.
    class Benchmark < Bench::Run
      COUNTED = { false => 100, true => 10 }.freeze # questions of each kind, by quick

      # @return [Results]
      attr_reader :results

      # @param options [Hash] as the command line leaves them
      def initialize(options) = super("probes", options)

      # @return [self]
      def run
        in_folder do
          prepare
          count
          cells = QUESTIONS.keys.product(PRESENCE)
          cells.product(Results::DEPTHS) { |(question, presence), depth| answers(question, presence, depth, IDIOMS) } # warm-up
          @options[:rounds].times { |round| cells.each { |cell| Results::DEPTHS.each { |depth| warm(round, *cell, depth) } } }
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
        @cold.settle
        @paths = QUESTIONS.keys.product(PRESENCE).to_h { |cell| [cell, @tree.paths(*cell)] }
      end

      def count
        @progress.call("counting system calls and exceptions")
        counting = Counting.new(@tree, @folder, COUNTED.fetch(@options[:quick]))
        @results.bills = counting.bills
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
          @cold.forget
          answers(question, presence, 0, [idiom]) do |_, time|
            @results.series(question, presence, :cold, idiom::LABEL).times[round] = time / @tree.size
          end
        end
      end

      # @yieldparam idiom [Module]
      # @yieldparam time [Float] seconds for all paths
      # @raise [Error] where an idiom found what is not there, or did not find what is
      def answers(question, presence, depth, idioms)
        paths = @paths.fetch([question, presence])
        idioms.each do |idiom|
          found = nil
          time = Bench.deep(depth) { seconds { found = idiom.public_send(question, paths) } }
          expected = presence == :present ? paths.size : 0
          found == expected or raise Error, "#{idiom::LABEL}, #{question}, #{presence}: found #{found}, not #{expected}"
          yield idiom, time if block_given?
        end
      end
    end
  end
end
