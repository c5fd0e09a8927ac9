# frozen_string_literal: true

require_relative "../kinds"
require_relative "prose"

module Frugal
  module Profile
    module Findings
      # What calls cost the program, in µs.
      #
      # The median of the recorded durations, where there are enough: it knows the user's file system and the length of
      # the paths, and a call during which the thread was preempted does not count. The recorder does not see what
      # Ruby does around a call, so the cost model adds that. For a few calls, the model alone.
      #
      # Of two calls with the same path, the first loads what the kernel knows of it into the caches of the processor.
      # If the first is removed, the second pays for that. So a call that is not the only one with its path saves what
      # the fastest of its kind take.
      class Savings
        ENOUGH = 10 # calls
        MAX_SAMPLES = 1000 # evenly spread: a median of more is no better
        MEDIAN = 0.5
        FASTEST = 0.05 # a quantile, since a single one may be an error of the clock
        private_constant :ENOUGH, :MAX_SAMPLES, :MEDIAN, :FASTEST

        # @return [CostModel]
        attr_reader :cost_model

        # @param cost_model [CostModel]
        def initialize(cost_model)
          @cost_model = cost_model
        end

        # @param calls [Array<Call>]
        # @return [Float] µs
        def us(calls) = total(calls, MEDIAN)

        # @param calls [Array<Call>] of which each has a call with the same path near to it that is not removed
        # @return [Float] µs
        def repeated_us(calls) = total(calls, FASTEST)

        # Between two of them, the program runs code of its own.
        #
        # @param calls [Array<Call>] small reads of files that could be read at once
        # @return [Float] µs
        def reads_us(calls)
          more = @cost_model.disturbance_us - @cost_model.piece_us
          [total(calls, MEDIAN) + calls.size * more, 0.0].max
        end

        # @param calls [Array<Call>] that `require` makes: its own search opens files, that of RubyGems asks for them
        # @return [Float] µs
        def searches_us(calls)
          opens, others = calls.partition { |call| Kinds::OPENS.include?(call.name) }
          total(others, MEDIAN) + total(opens, MEDIAN) { @cost_model.search_us }
        end

        # @param depth [Integer] frames
        # @return [Float] µs
        def exception_us(depth) = @cost_model.exception_us(depth)

        private

        # @yieldreturn [Float] µs of Ruby around each call, instead of what the cost model says
        def total(calls, quantile, &overhead)
          groups = calls.group_by { |call| [call.name, call.error.nil?, method_of(call.stack)] }
          groups.sum(0.0) do |(name, fine, method), some|
            some.size * unit(name, method, !fine, some, quantile, &overhead)
          end
        end

        # @return [String, nil] the method, written in C, that made the call
        def method_of(stack)
          frame = stack.frames.first
          frame.label.to_s[/\w+[?!]?\z/] if frame && !frame.source?
        end

        def unit(name, method, failed, calls, quantile)
          return @cost_model.call_us(name, failed: failed) if calls.size < ENOUGH

          step = [calls.size / MAX_SAMPLES, 1].max
          durations = (0...calls.size).step(step).map { |index| calls[index].duration }.sort
          microseconds = durations[(durations.size * quantile).floor] / 1000.0
          around = block_given? ? yield : @cost_model.overhead_us(name, method)
          [microseconds - @cost_model.clock_us, 0.0].max + around
        end
      end
    end
  end
end
