# frozen_string_literal: true

module Frugal
  class Compare
    # The one sentence that a comparison comes down to.
    #
    #   Verdict.new(result).to_s
    #   # => "frugal makes it 6.1× faster (2.70 s → 0.44 s), 451,154 → 100,320 system calls"
    class Verdict
      def initialize(result)
        @result = result
        @ratio = result.ratio(:wall)
      end

      # @return [Symbol] +:faster+, +:slower+ or +:same+
      def kind = @ratio.kind

      # @return [String]
      def to_s = [time, system_calls].compact.join(", ")

      private

      def time
        medians = %i[stock frugal].map { |side| Units.seconds(@result.median(:wall, side)) }.join(" → ")
        case kind
        when :faster then "frugal makes it #{Units.ratio(@ratio.median)} faster (#{medians})"
        when :slower then "frugal makes it #{Units.ratio(1 / @ratio.median)} slower (#{medians})"
        else "no difference in time beyond noise (#{medians})"
        end
      end

      def system_calls
        return unless @result.system_calls

        "#{@result.system_calls.values_at(:stock, :frugal).map { |calls| Units.count(calls.total) }.join(" → ")} system calls"
      end
    end
  end
end
