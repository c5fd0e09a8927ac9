# frozen_string_literal: true

module Frugal
  class Compare
    # The counting runs. They are separate from the timed runs, because counting
    # slows the command down. Each public method returns the counts and nil, or nil
    # and the reason why nothing was counted.
    class Counting
      MIN_LIMIT = 10.0 # seconds that a counting run may always take, even if the timed runs were shorter

      # @param directory [String] for the files that the counters write
      # @param ending [String] how the timed runs ended: the counts of a run that
      #   ends differently are not used
      # @yieldparam side [Side]
      # @yieldparam step [String] for a line of progress
      # @yieldparam prefix [Array<String>] words to put before the command
      # @yieldparam env [Hash{String => String}]
      # @yieldreturn [Sample]
      def initialize(directory, ending, &run)
        @directory = directory
        @ending = ending
        @run = run
      end

      # @param sides [Array<Side>]
      # @return [Array(Hash{Symbol => Counts}, nil), Array(nil, String)]
      def objects(sides)
        counted(sides, "counts") do |side, path|
          problem(side, "counting objects and exceptions", env: Counts.environment(path)) ||
            Counts.read(path) || "the command runs no Ruby process that reads RUBYOPT"
        end
      end

      # @param sides [Array<Side>]
      # @return [Array(Hash{Symbol => SystemCalls}, nil), Array(nil, String)]
      def system_calls(sides)
        reason = SystemCalls.unavailable(@directory)
        return [nil, reason] if reason

        counted(sides, "strace") do |side, path|
          problem(side, "counting system calls", prefix: SystemCalls.prefix(path)) || SystemCalls.parse(File.read(path))
        end
      end

      private

      # The block returns the counts of one side, or a String: the reason why they are missing.
      def counted(sides, kind)
        counts = sides.to_h do |side|
          count = yield(side, File.join(@directory, "#{side.name}.#{kind}"))
          return [nil, count] if count.is_a?(String)

          [side.name, count]
        end
        [counts, nil]
      end

      # Runs the command once.
      #
      # @return [String, nil] why the counts of this run cannot be used; nil if they can
      def problem(side, step, prefix: [], env: {})
        sample = @run.call(side, step, prefix, env) or return "counting took longer than all timed runs together"
        sample.discard
        "the counting run ended with #{sample.ending}" unless sample.ending == @ending
      end
    end
  end
end
