# frozen_string_literal: true

module Frugal
  class Compare
    # The runs that count; they are slower than the timed ones, and apart from
    # them. Each method answers with what it counted and nil, or with nil and why
    # it could not.
    class Counting
      LEAST = 10.0 # seconds that a counting run may take, however short the timed ones were

      # @param directory [String] for what the counters write
      # @param ending [String] how the timed runs ended: a run that ends otherwise
      #   counts something else
      # @yieldparam side [Side]
      # @yieldparam step [String] for a line of progress
      # @yieldparam prefix [Array<String>] what goes before the command
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
          observe(side, "counting objects and exceptions", env: Counts.environment(path)) ||
            Counts.read(path) || "the command runs no Ruby process that reads RUBYOPT"
        end
      end

      # @param sides [Array<Side>]
      # @return [Array(Hash{Symbol => SystemCalls}, nil), Array(nil, String)]
      def system_calls(sides)
        reason = SystemCalls.unavailable(@directory)
        return [nil, reason] if reason

        counted(sides, "strace") do |side, path|
          observe(side, "counting system calls", prefix: SystemCalls.prefix(path)) || SystemCalls.parse(File.read(path))
        end
      end

      private

      # A String in place of counts is the reason why there are none.
      def counted(sides, kind)
        counts = sides.to_h do |side|
          count = yield(side, File.join(@directory, "#{side.name}.#{kind}"))
          return [nil, count] if count.is_a?(String)

          [side.name, count]
        end
        [counts, nil]
      end

      # @return [String, nil] what is wrong with the run
      def observe(side, step, prefix: [], env: {})
        sample = @run.call(side, step, prefix, env) or return "it took longer than all of the timing"
        sample.discard
        "the run for it ended with #{sample.ending}" unless sample.ending == @ending
      end
    end
  end
end
