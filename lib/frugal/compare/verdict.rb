# frozen_string_literal: true

module Frugal
  class Compare
    # The result of a comparison in one sentence.
    #
    #   Verdict.new(result).to_s
    #   # => "frugal makes it 6.1× faster (2.70 s → 0.44 s), 90,432 → 20,251 file calls"
    class Verdict
      MIN_PAIRS = 3 # with fewer, there is no verdict on time
      private_constant :MIN_PAIRS

      def initialize(result)
        @result = result
        @ratio = result.ratio(:wall)
      end

      # @return [Symbol] `:faster`, `:slower`, `:same`, `:few` if there are too few pairs for
      #   a verdict, `:unused` if no drop-in was on
      def kind
        return :unused if @result.unused?

        @result.pairs.size < MIN_PAIRS ? :few : @ratio.kind
      end

      # The sentence starts with the measures in which frugal is worse.
      #
      # @return [String]
      def to_s
        return unused if kind == :unused

        more = [more_cpu, (file_calls if more_calls?)].compact
        other = [time, (file_calls unless more_calls?)].compact.join(", ")
        more.empty? ? other : "frugal takes more: #{more.join(", ")}; #{other}"
      end

      # @return [String] the part of the sentence about time
      def time
        medians = %i[stock frugal].map { |side| Readable.seconds(@result.median(:wall, side)) }.join(" → ")
        case kind
        when :unused then medians
        when :few then "too few pairs for a verdict on time (#{medians})"
        when :faster then "frugal makes it #{Readable.ratio(@ratio.median)} faster (#{medians})"
        when :slower then "frugal makes it #{Readable.ratio(1 / @ratio.median)} slower (#{medians})"
        else "no difference in time beyond noise (#{medians})"
        end
      end

      private

      def unused = "no drop-in was used: the command loads no library that frugal has a drop-in for (#{time})"

      def more_cpu
        return if kind == :few || @result.ratio(:cpu).kind != :slower

        "CPU time #{%i[stock frugal].map { |side| Readable.seconds(@result.median(:cpu, side)) }.join(" → ")}"
      end

      def more_calls?
        calls = @result.file_calls
        !calls.nil? && calls[:frugal].total > calls[:stock].total
      end

      def file_calls
        calls = @result.file_calls or return

        "#{calls.values_at(:stock, :frugal).map { |side| Readable.count(side.total) }.join(" → ")} file calls"
      end
    end
  end
end
