# frozen_string_literal: true

module Frugal
  class Compare
    # The statistics of a comparison. None of them assumes a normal distribution,
    # because the times of processes have a long right tail.
    module Statistics
      # Stock ÷ frugal: the median of the ratios of the pairs, and the range
      # (confidence interval) of that median.
      Ratio = Struct.new(:median, :low, :high, :pairs, keyword_init: true) do
        # @return [Symbol] `:faster`, `:slower`, or `:same` if the range includes 1
        #   or the difference is below half a percent
        def kind
          return :same if low <= 1 && high >= 1 || (median - 1).abs < 0.005

          median > 1 ? :faster : :slower
        end
      end

      # Scales the median absolute deviation so that it equals the standard deviation of normally distributed data.
      MAD_SCALE = 1.4826
      private_constant :MAD_SCALE

      module_function

      # @param values [Array<Numeric>] at least one
      # @return [Float]
      def median(values)
        sorted = values.sort
        (sorted[(sorted.size - 1) / 2] + sorted[sorted.size / 2]) / 2.0
      end

      # @param stock [Array<Float>] in the order of the pairs
      # @param frugal [Array<Float>]
      # @return [Ratio]
      def ratio(stock, frugal)
        pairs = stock.zip(frugal).map { |before, after| quotient(before, after) }
        low, high = interval(pairs)
        Ratio.new(median: median(pairs), low: low, high: high, pairs: pairs)
      end

      # The 95 % confidence interval of the median, from order statistics: the
      # k-th smallest to the k-th largest value, where k comes from the
      # binomial distribution (W. R. Thompson, 1936). With five values or fewer
      # no k reaches 95 %, and the interval is the smallest to the largest.
      #
      # @return [Array(Float, Float)]
      def interval(values)
        sorted = values.sort
        tail = 0.0
        inside = 0
        choose = 1
        loop do
          tail += choose * 0.5**values.size
          break if tail > 0.025

          inside += 1
          choose = choose * (values.size - inside + 1) / inside
        end
        position = [inside - 1, 0].max
        [sorted[position], sorted[-1 - position]]
      end

      # @return [Array<Float>] the values whose distance from the median exceeds both
      #   three scaled median absolute deviations and a tenth of the median
      def outliers(values)
        middle = median(values)
        spread = MAD_SCALE * median(values.map { |value| (value - middle).abs })
        values.select { |value| (value - middle).abs > [3 * spread, middle / 10].max }
      end

      # The CPU clock of some systems is coarse, so that a time can be zero: 0 ÷ 0 is
      # 1 here, and any other zero divisor is replaced by one tick (a microsecond).
      def quotient(before, after)
        return 1.0 if before == after

        before / [after, 1e-6].max.to_f
      end
    end
  end
end
