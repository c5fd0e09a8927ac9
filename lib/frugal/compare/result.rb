# frozen_string_literal: true

module Frugal
  class Compare
    # What a comparison found out; the reports read nothing else.
    #
    # +pairs+ are the timed pairs; +counts+ and +system_calls+ hold one entry a
    # side, or nil with the reason in +uncounted+ and +untraced+; +refusal+ says
    # why there is nothing to compare.
    Result = Struct.new(:command, :options, :pairs, :counts, :uncounted, :system_calls, :untraced,
                        :refusal, :ending, :load, :started_at, keyword_init: true)

    class Result
      MEASURES = %i[wall cpu].freeze
      COUNTS = %i[allocations exceptions].freeze

      # @return [Symbol] +:compared+, +:different+ or +:unrepeatable+
      def outcome = refusal ? refusal.kind : :compared

      # @return [Boolean] whether there is anything to report
      def compared? = refusal.nil?

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
      def dropins = counts ? counts[:frugal].dropins : []

      # @return [Boolean] whether the command succeeded
      def success? = ending == "exit status 0"
    end
  end
end
