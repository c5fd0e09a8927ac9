# frozen_string_literal: true

module Frugal
  class Compare
    # The reason why the two sides cannot be compared.
    #
    # `kind` is `:different` (two runs of stock are equal, the run of frugal differs)
    # or `:unrepeatable` (two runs of stock differ, so that a difference between stock
    # and frugal shows nothing).
    Refusal = Struct.new(:kind, :differences)

    # Compares each run with the first run of stock. As soon as one differs, it decides
    # whether frugal is the cause or whether the command differs from run to run.
    class PairCheck
      # @param output [Boolean] whether to compare what the command prints
      def initialize(output: true)
        @output = output
      end

      # @param pair [Hash{Symbol => Sample}] `:stock` and `:frugal`
      # @yieldreturn [Array<Sample>] more runs of stock; called only if the run of
      #   frugal differs, to find out whether the runs of stock differ from each other
      # @return [Refusal, nil] nil if both runs are equal to the reference
      def refusal(pair)
        @reference ||= pair[:stock]
        in_stock = differences(pair[:stock])
        return Refusal.new(:unrepeatable, in_stock) if in_stock.any?

        in_frugal = differences(pair[:frugal])
        return if in_frugal.empty?

        in_stock = yield.map { |sample| differences(sample) }.find(&:any?)
        in_stock ? Refusal.new(:unrepeatable, in_stock) : Refusal.new(:different, in_frugal)
      end

      # @return [Boolean] whether the sample is the one that all others are compared with
      def reference?(sample) = sample.equal?(@reference)

      # @return [Sample] the first run of stock
      attr_reader :reference

      private

      def differences(sample) = Difference.between(@reference, sample, output: @output)
    end
  end
end
