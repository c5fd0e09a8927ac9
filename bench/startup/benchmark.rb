# frozen_string_literal: true

require_relative "results"
require_relative "../support/run"
require_relative "../support/system_calls"

module Frugal
  module StartupBench
    # Creates the files and measures the programs.
    class Benchmark < Bench::Run
      # @return [Results]
      attr_reader :results

      # @param options [Hash] the parsed options of the command line
      def initialize(options)
        super("startup", options)
        @results = Results.new(quick: options[:quick])
      end

      # @return [self]
      def run
        in_folder do
          Dir.chdir(@folder) do
            Cases.write_files
            @runner = Compare::Runner.new(@folder)
            reason = Bench::SystemCalls.unavailable(@folder)
            @notes << "system calls are not counted: #{reason}" if reason
            Cases.of(@options[:only]).each { |one| measure(@results.add(one), count: reason.nil?) }
          end
        end
        self
      end

      private

      def measure(row, count:)
        sides = [Compare::Side.stock(Cases.command(row.case)), Compare::Side.frugal(Cases.command(row.case))]
        row.calls = sides.map { |side| calls(side, row) } if count
        rounds.times do |round|
          @progress.call("#{row.case.name}, round #{round} of #{rounds - 1}")
          times = rotate(sides, round).to_h { |side| [side.name, sample(side.argv).cpu] }
          row.cpu << times.values_at(:stock, :frugal) unless round.zero? # the warm-up
        end
      end

      def rounds = @options[:quick] ? 2 : @options[:rounds] + 1

      # Runs without address space randomisation (setarch -R), because the start of the heap
      # decides whether there is one brk(2) more.
      def calls(side, row)
        @progress.call("#{row.case.name}, counting, #{side.name}")
        table = File.join(@folder, "table")
        sample(["setarch", "-R", *Bench::SystemCalls.prefix(table), *side.argv])
        Bench::SystemCalls.parse(File.read(table)).total
      end

      def sample(argv)
        @runner.run(argv).tap do |sample|
          raise Error, "#{argv.last(3).join(" ")} ended with #{sample.ending}" unless sample.status.success?

          sample.discard
        end
      end
    end
  end
end
