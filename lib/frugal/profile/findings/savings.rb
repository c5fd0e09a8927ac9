# frozen_string_literal: true

require_relative "prose"

module Frugal
  module Profile
    module Findings
      # What calls cost the program, in µs.
      #
      # The median of the recorded durations, where there are enough: it knows the user's file system and the length of
      # the paths, and a call during which the thread was preempted does not count. The recorder does not see what
      # Ruby does around a call, so the cost model adds that. For a few calls, the model alone.
      class Savings
        ENOUGH = 10 # calls
        MAX_SAMPLES = 1000 # evenly spread: a median of more is no better
        private_constant :ENOUGH, :MAX_SAMPLES

        # @return [CostModel]
        attr_reader :cost_model

        # @param cost_model [CostModel]
        def initialize(cost_model)
          @cost_model = cost_model
        end

        # @param calls [Array<Call>]
        # @return [Float] µs
        def us(calls)
          total = 0.0
          calls.group_by(&:name).each do |name, named|
            named.partition(&:error).each_with_index do |some, index|
              total += some.size * unit(name, some, index.zero?) unless some.empty?
            end
          end
          total
        end

        # @param depth [Integer] frames
        # @return [Float] µs
        def exception_us(depth) = @cost_model.exception_us(depth)

        private

        def unit(name, calls, failed)
          return @cost_model.call_us(name, failed: failed) if calls.size < ENOUGH

          step = [calls.size / MAX_SAMPLES, 1].max
          durations = (0...calls.size).step(step).map { |index| calls[index].duration }
          Prose.median(durations) / 1000.0 + @cost_model.overhead_us(name)
        end
      end
    end
  end
end
