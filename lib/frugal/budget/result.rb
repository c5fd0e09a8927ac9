# frozen_string_literal: true

require_relative "excess"
require_relative "../readable"
require_relative "../profile/standard_streams"

module Frugal
  class Budget
    # A run, compared with a budget.
    class Result
      VERSION = 1
      private_constant :VERSION

      # @return [Budget]
      attr_reader :budget
      # @return [Profile::Recording]
      attr_reader :recording

      # @param budget [Budget]
      # @param recording [Profile::Recording] the run of a program that had the standard streams of this process
      def initialize(budget, recording)
        @budget = budget
        @recording = recording
        @streams = Profile::StandardStreams.new
      end

      # @return [Hash{Symbol => Integer}] the counts for {LIMITS}, without calls on standard input, output and error
      def counts = @counts ||= @streams.counts(recording.by_name, recording.calls).slice(*LIMITS)

      # @return [Array<Excess>] the exceeded limits, in the order of {LIMITS}
      def excesses
        @excesses ||= begin
          calls = recording.calls.reject { |call| @streams.include?(call) }
          budget.limits.filter_map { |limit, most| Excess.of(limit, most, counts[limit], calls, recording.raises) }
        end
      end

      # @return [Boolean]
      def within? = excesses.empty?

      # @return [Boolean] whether the command succeeded; the counts of a failed command are not reliable
      def success? = recording.status.nil? || recording.status.success?

      # @return [Hash] the document of `--json`; docs/budget.md describes it
      def to_h
        { version: VERSION, command: recording.command.map { |word| Readable.text(word) }, status: status,
          within: within?, counts: counts, limits: budget.limits, over: excesses.map { |excess| document(excess) } }
      end

      private

      def status
        status = recording.status
        { exit: status&.exitstatus, signal: status&.termsig && "SIG#{Signal.signame(status.termsig)}" }
      end

      def document(excess)
        lines = excess.lines.map { |line| { **line.to_h, file: line.file && Readable.text(line.file) } }
        { limit: excess.limit, most: excess.most, count: excess.count, over: excess.over, lines: lines }
      end
    end
  end
end
