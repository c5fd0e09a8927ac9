# frozen_string_literal: true

module Frugal
  class Compare
    Result = Struct.new(:command, :options, :pairs, :counts, :no_counts_reason, :file_calls, :no_file_calls_reason,
                        :warmup_dropins, :planned, :refusal, :failure, :interrupted, :ending, :load, :started_at,
                        keyword_init: true)

    # The result of a comparison, from which all reports are made.
    #
    # `pairs` holds the timed pairs, `planned` the number of pairs that were planned.
    # `counts` and `file_calls` have one entry per side; if nil, `no_counts_reason`
    # and `no_file_calls_reason` hold the reason. `warmup_dropins` are the drop-ins
    # that the warm-up runs reported. If `refusal` or `failure` is set, there is nothing
    # to compare.
    class Result
      # Times of a run in seconds: elapsed time, and the CPU time of its processes.
      MEASURES = %i[wall cpu].freeze
      # The counts that come from a separate counting run.
      COUNTS = %i[allocations exceptions].freeze

      # @return [Symbol] `:compared`, `:interrupted`, `:different`, `:unrepeatable` or `:failed`
      def outcome
        return :failed if failure
        return refusal.kind if refusal

        interrupted ? :interrupted : :compared
      end

      # @return [Boolean] whether the two sides could be compared
      def compared? = refusal.nil? && failure.nil?

      # @param measure [Symbol] `:wall` or `:cpu`
      # @param side [Symbol] `:stock` or `:frugal`
      # @return [Array<Float>] seconds, in the order of the pairs
      def times(measure, side) = pairs.map { |pair| pair[side][measure] }

      # @return [Float] seconds
      def median(measure, side) = Statistics.median(times(measure, side))

      # @return [Statistics::Ratio] stock ÷ frugal: above 1, frugal is faster
      def ratio(measure) = Statistics.ratio(times(measure, :stock), times(measure, :frugal))

      # Exceptions are the recorder's count if there is one: it includes processes that end by exec, exit! or a signal,
      # and the start of Ruby.
      #
      # @param measure [Symbol] `:allocations` or `:exceptions`
      # @return [Integer, nil]
      def count(measure, side)
        recorded = measure == :exceptions && file_calls&.each_value&.all?(&:exceptions)
        recorded ? file_calls[side].exceptions : counts && counts[side][measure]
      end

      # @return [Boolean] whether a process could not count its allocations
      def no_allocations? = !counts.nil? && counts.each_value.any? { |count| count.allocations.nil? }

      # @return [Array<String>] the functions, ordered by the change of their number of calls, then by their number in
      #   stock, the largest first
      def kinds
        return [] unless file_calls

        stock, frugal = file_calls.values_at(:stock, :frugal)
        (stock.kinds.keys | frugal.kinds.keys).sort_by do |name|
          before = stock[name].calls
          after = frugal[name].calls
          [-(before - after).abs, -before, name]
        end
      end

      # @return [Array<Hash>] the drop-ins of the frugal side: name, state, reason
      def dropins = (counts ? counts[:frugal].dropins : warmup_dropins) || []

      # @return [Boolean] whether no drop-in was on or stood aside; false if the drop-ins are not known
      def unused?
        !(counts || warmup_dropins).nil? && dropins.none? { |dropin| %w[on aside].include?(dropin[:state]) }
      end

      # @return [Boolean] whether the command succeeded
      def success? = ending == "exit status 0"
    end
  end
end
