# frozen_string_literal: true

module Frugal
  class Compare
    # The one sentence that a comparison comes down to.
    #
    #   Verdict.new(result).to_s
    #   # => "frugal makes it 6.1× faster (2.70 s → 0.44 s), 451,154 → 100,320 system calls"
    class Verdict
      FEW = 3 # pairs, below which nothing is said of time
      private_constant :FEW

      def initialize(result)
        @result = result
        @ratio = result.ratio(:wall)
      end

      # @return [Symbol] +:faster+, +:slower+, +:same+, +:few+ where there are too few pairs to tell, +:unused+
      #   where there was no drop-in
      def kind
        return :unused if @result.unused?

        @result.pairs.size < FEW ? :few : @ratio.kind
      end

      # What frugal takes more of is said first.
      #
      # @return [String]
      def to_s
        return "no drop-in was used: the command loads nothing that frugal has one for (#{time})" if kind == :unused

        more = [more_cpu, (system_calls if more_calls?)].compact
        said = [time, (system_calls unless more_calls?)].compact.join(", ")
        more.empty? ? said : "frugal takes more: #{more.join(", ")}; #{said}"
      end

      # @return [String] what is said of time alone
      def time
        medians = %i[stock frugal].map { |side| Units.seconds(@result.median(:wall, side)) }.join(" → ")
        case kind
        when :unused then medians
        when :few then "too few pairs for a verdict on time (#{medians})"
        when :faster then "frugal makes it #{Units.ratio(@ratio.median)} faster (#{medians})"
        when :slower then "frugal makes it #{Units.ratio(1 / @ratio.median)} slower (#{medians})"
        else "no difference in time beyond noise (#{medians})"
        end
      end

      private

      def more_cpu
        return if kind == :few || @result.ratio(:cpu).kind != :slower

        "CPU time #{%i[stock frugal].map { |side| Units.seconds(@result.median(:cpu, side)) }.join(" → ")}"
      end

      def more_calls?
        calls = @result.system_calls
        !calls.nil? && calls[:frugal].total > calls[:stock].total
      end

      def system_calls
        return unless @result.system_calls

        "#{@result.system_calls.values_at(:stock, :frugal).map { |calls| Units.count(calls.total) }.join(" → ")} system calls"
      end
    end
  end
end
