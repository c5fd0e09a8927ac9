# frozen_string_literal: true

require_relative "results"
require_relative "../support/run"

module Frugal
  module StartupBench
    # Creates the files and measures the programs.
    class Benchmark < Bench::Run
      include Bench::Sides

      private

      def measure_all
        @runner = Compare::Runner.new(@folder)
        count = count?
        Dir.chdir(@folder) do
          Cases.write_files
          chosen(Cases::ALL).each do |one|
            row = @results.add(one, [Bench::Pair.new(one)]).first
            compare(row, [RbConfig.ruby, *one.argv], count: count)
          end
        end
      end
    end
  end
end
