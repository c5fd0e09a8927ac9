# frozen_string_literal: true

module Frugal
  class Compare
    # Why two sides cannot be compared.
    #
    # +kind+ is +:different+ (stock agrees with itself, frugal does not agree
    # with it) or +:unrepeatable+ (stock does not agree with itself, so that
    # nothing could be said about frugal).
    Refusal = Struct.new(:kind, :differences)

    # Watches the pairs and decides, as soon as one differs, whose doing it is.
    class Witness
      # @param output [Boolean] whether what the command prints counts
      def initialize(output: true)
        @output = output
      end

      # @param pair [Hash{Symbol => Sample}] +:stock+ and +:frugal+
      # @yieldreturn [Array<Sample>] more runs of stock, asked for only when the
      #   pair differs: does stock agree with itself?
      # @return [Refusal, nil]
      def examine(pair)
        @reference ||= pair[:stock]
        itself = differences(pair[:stock])
        return Refusal.new(:unrepeatable, itself) if itself.any?

        between = differences(pair[:frugal])
        return if between.empty?

        itself = yield.map { |sample| differences(sample) }.find(&:any?)
        itself ? Refusal.new(:unrepeatable, itself) : Refusal.new(:different, between)
      end

      # @return [Boolean] whether the sample is the one that others are held against
      def reference?(sample) = sample.equal?(@reference)

      # @return [Sample] the first run of stock
      attr_reader :reference

      private

      def differences(sample) = Difference.between(@reference, sample, output: @output)
    end
  end
end
