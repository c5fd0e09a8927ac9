# frozen_string_literal: true

require_relative "../compare"

module Frugal
  class Compare
    # Measures the savings of the drop-ins that the findings of a profile name, and compares them with the predicted
    # savings.
    #
    #   Verification.new(%w[rake -s]).of(findings).each { |outcome| puts outcome.measured }
    #
    # The command runs alternately without frugal and with one of the drop-ins, as in `frugal compare`: with an empty
    # standard input, and its output in temporary files. The measured times include the cost of `frugal run`.
    class Verification
      # A drop-in, the findings that it removes, and its saving in a run, in seconds: `predicted`; `measured`, the
      # median of the pairs; `low` and `high`, the range of that median. If nothing could be measured, `problem` is the
      # reason, and `measured`, `low` and `high` are nil.
      Outcome = Struct.new(:drop_in, :findings, :predicted, :measured, :low, :high, :problem, keyword_init: true) do
        # @return [Float, nil] 0.1 if the saving was 10 % larger than predicted; nil if nothing was measured or
        #   predicted
        def error = (measured / predicted - 1 if measured && predicted.positive?)

        # @return [Boolean] whether the runs differ by more than what was predicted
        def unclear? = high - low > predicted
      end

      # @param command [Array<String>]
      # @param only [String, nil] names of drop-ins, separated by commas: only these are measured
      # @param except [String, nil] names of drop-ins, separated by commas: these are not measured
      # @param pairs [Integer, nil] the number of pairs of runs for each drop-in; nil: {Compare} chooses it
      # @raise [UsageError] for an unknown drop-in
      def initialize(command, only: nil, except: nil, pairs: nil)
        Compare.new(command, only: only, except: except) # checks the names
        @command = command
        @only = only&.split(",")
        @except = except.to_s.split(",")
        @options = { pairs: pairs, counts: false }
      end

      # *Cost*: 2 × (1 + pairs) runs of the command for each drop-in.
      #
      # @param findings [Array<Profile::Finding>]
      # @yieldparam step [String] the next step, for a line of progress
      # @return [Array<Outcome>] one for each drop-in that a finding names, the largest prediction first
      # @raise [CommandError] if the command cannot be started
      # @raise [Interrupt] if Ctrl-C comes before the first pair is complete
      def of(findings, &progress)
        groups = findings.select { |finding| measured?(finding.drop_in) }.group_by(&:drop_in)
        groups.map { |drop_in, its_findings| outcome(drop_in, its_findings, &progress) }
              .sort_by { |outcome| -outcome.predicted }
      end

      private

      def measured?(drop_in)
        name = drop_in.to_s
        drop_in && !@except.include?(name) && (@only.nil? || @only.include?(name))
      end

      def outcome(drop_in, findings, &progress)
        predicted = findings.sum(&:saved_us) / 1_000_000.0
        comparison = Compare.new(@command, only: drop_in.to_s, **@options)
        result = comparison.run { |step| progress&.call("#{drop_in}: #{step}") }
        Outcome.new(drop_in: drop_in, findings: findings, predicted: predicted, **measurement(result))
      end

      def measurement(result)
        problem = problem(result)
        return { problem: problem } if problem

        saved = result.times(:wall, :stock).zip(result.times(:wall, :frugal)).map { |stock, frugal| stock - frugal }
        low, high = Statistics.interval(saved)
        { measured: Statistics.median(saved), low: low, high: high }
      end

      def problem(result)
        return "the command failed without frugal: #{result.failure.ending}" if result.failure

        case result.refusal&.kind
        when :different then "the drop-in changes what the command does: run frugal compare"
        when :unrepeatable then "the command does something different each time"
        end
      end
    end
  end
end
