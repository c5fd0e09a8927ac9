# frozen_string_literal: true

require_relative "../profile/run"
require_relative "file_calls"

module Frugal
  class Compare
    # The counting runs. They are separate from the timed runs, because counting
    # slows the command down. Each public method returns the counts and nil, or nil
    # and the reason why nothing was counted.
    class Counting
      MIN_LIMIT = 10.0 # seconds that a counting run may always take, even if the timed runs were shorter
      FRAMES = 1 # Ruby frames that are recorded with each call: the minimum, since they are not read
      private_constant :FRAMES

      # @param directory [String] for the files that the counters write
      # @param ending [String] how the timed runs ended: the counts of a run that
      #   ends differently are not used
      # @yieldparam side [Side]
      # @yieldparam step [String] for a line of progress
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
        counted(sides) do |side|
          path = File.join(@directory, "#{side.name}.counts")
          counting_run(side, "counting objects", Counts.environment(path)) do
            Counts.read(path) || "the command runs no Ruby process that reads RUBYOPT"
          end
        end
      end

      # @param sides [Array<Side>]
      # @return [Array(Hash{Symbol => FileCalls}, nil), Array(nil, String)]
      def file_calls(sides)
        reason = Profile::Run.unavailable
        return [nil, reason] if reason

        counted(sides) do |side|
          Profile::LogFolder.open(depth: FRAMES) do |folder|
            counting_run(side, "counting file calls", folder.environment) do |sample|
              recording = folder.recording(side.argv)
              recording.processes.empty? ? recording.notes.first : FileCalls.of(recording, streams(sample))
            end
          end
        end
      end

      private

      # The block returns the counts of one side, or a String: the reason why they are missing.
      def counted(sides)
        counts = sides.to_h do |side|
          count = yield(side)
          return [nil, count] if count.is_a?(String)

          [side.name, count]
        end
        [counts, nil]
      end

      # Runs the command once.
      #
      # @yieldparam sample [Sample] if its counts can be used
      # @return [Object, String] the value of the block, or why the counts cannot be used
      def counting_run(side, step, env)
        sample = @run.call(side, step, env) or return "counting took longer than all timed runs together"
        value = yield(sample) if sample.ending == @ending
        sample.discard
        value || "the counting run ended with #{sample.ending}"
      end

      def streams(sample)
        Profile::StandardStreams.new([sample.stdout, sample.stderr].map { |path| File.realpath(path) })
      end
    end
  end
end
