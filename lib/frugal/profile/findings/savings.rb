# frozen_string_literal: true

require_relative "../kinds"
require_relative "prose"

module Frugal
  module Profile
    module Findings
      # The time that calls cost the program, in µs.
      #
      # With enough calls, this is the median of their recorded durations: it depends on the user's file system and on
      # the length of the paths, and a call during which the thread was preempted does not distort it. The recorder does
      # not see the work that Ruby does around a call, so the cost model adds its time. With few calls, only the cost
      # model is used.
      #
      # Of two calls with the same path, the first loads the kernel's data about the path into the caches of the
      # processor. If the first is removed, the second has to load them. So the removal of a repeated call saves only
      # the time of the fastest calls of its kind.
      class Savings
        ENOUGH = 10 # calls
        MAX_SAMPLES = 1000 # evenly spread: more samples do not improve the median
        MEDIAN = 0.5
        FASTEST = 0.05 # a quantile: the shortest duration may be an error of the clock
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

        # @param calls [Array<Call>] each near to another call with the same path that is not removed
        # @return [Float] µs
        def repeated_us(calls) = total(calls, FASTEST)

        # Between two small reads, the program runs its own code, which each read slows down.
        #
        # @param calls [Array<Call>] small reads of files that could be read at once
        # @return [Float] µs
        def reads_us(calls)
          more = @cost_model.disturbance_us - @cost_model.piece_us
          [total(calls, MEDIAN) + calls.size * more, 0.0].max
        end

        # @param calls [Array<Call>] that `require` makes: Ruby's own search opens files, the search of RubyGems only
        #   asks whether they exist
        # @return [Float] µs
        def searches_us(calls)
          opens, others = calls.partition { |call| Kinds::OPENS.include?(call.name) }
          total(others, MEDIAN) + total(opens, MEDIAN) { @cost_model.search_us }
        end

        # @param depth [Integer] frames
        # @return [Float] µs
        def exception_us(depth) = @cost_model.exception_us(depth)

        private

        # @yieldreturn [Float] µs that Ruby needs around each call, instead of the overhead in the cost model
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
