# frozen_string_literal: true

require_relative "words"
require_relative "../finding"

module Frugal
  module Profile
    module Report
      # The totals of the findings.
      #
      #   Summary.new(recording, findings).verdict
      #   # => "4,812 of 9,340 file calls (52 %) were superfluous: about 96 ms of 1.24 s of wall time"
      class Summary
        WORTH = 0.02 # share of the CPU time: a finding that saves less is not worth a change
        EXCEPTIONS = %i[rescued_error dropped_backtrace].freeze # kinds that count exceptions
        DIGESTS = %i[needless_digest].freeze # kinds that count neither calls nor exceptions
        private_constant :EXCEPTIONS, :DIGESTS

        # @return [Array<Finding>] the findings that are waste and not ignored, the largest saving first
        attr_reader :findings
        # @return [Array<Finding>] those that are ignored
        attr_reader :ignored

        # @param recording [Recording]
        # @param findings [Array<Finding>] in any order
        def initialize(recording, findings)
          @recording = recording
          waste, @freshness = findings.partition(&:waste?)
          @ignored, waste = waste.partition(&:ignored)
          @findings = waste.sort_by.with_index { |finding, index| [-finding.saved_us, index] }
        end

        # @return [Array<Finding>] the freshness checks, the most frequent first
        attr_reader :freshness

        # @return [Integer] at most as many as there were
        def superfluous_calls
          [superfluous { |kind| !EXCEPTIONS.include?(kind) && !DIGESTS.include?(kind) }, counts[:calls]].min
        end

        # @return [Integer] at most as many as there were
        def superfluous_exceptions = [superfluous { |kind| EXCEPTIONS.include?(kind) }, counts[:exceptions]].min

        # @return [Float] microseconds that the findings save
        def saved_us(findings = @findings) = findings.sum(0.0, &:saved_us)

        # @return [Boolean] whether a finding saves enough to be worth a change
        def worth?(finding) = finding.saved_us >= WORTH * base_us

        # @return [String] one sentence
        def verdict
          return "no waste found in #{Words.count(counts[:calls], "file call")}#{run_time}" if findings.empty?

          worth = ", not worth a change" if findings.none? { |finding| worth?(finding) }
          "#{subject}: about #{Words.time(saved_us)}#{total}#{worth}"
        end

        # @param finding [Finding]
        # @return [String] such as "16 ms of 1.16 s of CPU time"
        def part(finding)
          "#{Words.time(finding.saved_us)} of #{Words.time(base_us)} of #{cpu? ? "CPU time" : "wall time"}"
        end

        private

        def counts = @recording.counts

        def superfluous = findings.sum { |finding| yield(finding.kind) ? finding.count : 0 }

        # The CPU time if it is known: it includes the cost of calls and, unlike the wall time, no waits for a client or
        # a child.
        def base_us = cpu? ? @recording.cpu_us : @recording.wall_us

        def cpu? = @recording.cpu_us.positive?

        def run_time = @recording.wall_us.positive? ? " (#{Words.time(@recording.wall_us)})" : ""

        # Parallel processes can waste more time than the wall time of the run.
        def total
          return " of #{Words.time(@recording.wall_us)} of wall time" if @recording.wall_us > saved_us

          cpu? ? " of #{Words.time(@recording.cpu_us)} of CPU time" : ""
        end

        def subject
          parts = [part_of(superfluous_calls, counts[:calls], "file call"),
                   part_of(superfluous_exceptions, counts[:exceptions], "exception")].compact
          return "#{Words.count(findings.size, "finding")} in other than file calls" if parts.empty?

          one = superfluous_calls + superfluous_exceptions == 1
          "#{"at least " if @recording.dropped.positive?}#{parts.join(" and ")} #{one ? "was" : "were"} superfluous"
        end

        def part_of(number, all, noun)
          return if number.zero?

          "#{Readable.count(number)} of #{Words.count(all, noun)} (#{Words.share(number, all)})"
        end
      end
    end
  end
end
