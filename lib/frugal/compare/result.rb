# frozen_string_literal: true

module Frugal
  class Compare
    # What a comparison found out; the reports read nothing else.
    #
    # +pairs+ are the timed pairs, of which +planned+ were to be; +counts+ and
    # +system_calls+ hold one entry a side, or nil with the reason in +uncounted+ and
    # +untraced+; +noted+ are the drop-ins of the warm-up; +refusal+ and +failure+ say
    # why there is nothing to compare.
    Result = Struct.new(:command, :options, :pairs, :counts, :uncounted, :system_calls, :untraced, :noted, :planned,
                        :refusal, :failure, :interrupted, :ending, :load, :started_at, keyword_init: true)

    class Result
      MEASURES = %i[wall cpu].freeze
      COUNTS = %i[allocations exceptions].freeze

      # @return [Symbol] +:compared+, +:interrupted+, +:different+, +:unrepeatable+ or +:failed+
      def outcome
        return :failed if failure
        return refusal.kind if refusal

        interrupted ? :interrupted : :compared
      end

      # @return [Boolean] whether there is anything to report
      def compared? = refusal.nil? && failure.nil?

      # @param measure [Symbol] +:wall+ or +:cpu+
      # @param side [Symbol] +:stock+ or +:frugal+
      # @return [Array<Float>] seconds, in the order of the pairs
      def times(measure, side) = pairs.map { |pair| pair[side][measure] }

      # @return [Float] seconds
      def median(measure, side) = Statistics.median(times(measure, side))

      # @return [Statistics::Ratio] of stock to frugal: above 1 frugal is faster
      def ratio(measure) = Statistics.ratio(times(measure, :stock), times(measure, :frugal))

      # @return [Integer, nil]
      def count(measure, side) = counts && counts[side][measure]

      # @return [Array<String>] the kinds of system calls, those that changed
      #   most first, then those that are most frequent
      def kinds
        return [] unless system_calls

        stock, frugal = system_calls.values_at(:stock, :frugal)
        (stock.kinds.keys | frugal.kinds.keys).sort_by do |name|
          before = stock[name].calls
          after = frugal[name].calls
          [-(before - after).abs, -before, name]
        end
      end

      # @return [Array<Hash>] the drop-ins of the frugal side: name, state, reason
      def dropins = (counts ? counts[:frugal].dropins : noted) || []

      # @return [Boolean] whether it is known that no drop-in was on, or stood aside
      def unused? = !(counts || noted).nil? && dropins.none? { |dropin| %w[on aside].include?(dropin[:state]) }

      # @return [Boolean] whether the command succeeded
      def success? = ending == "exit status 0"
    end
  end
end
