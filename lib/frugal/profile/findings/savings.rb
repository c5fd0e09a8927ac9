# frozen_string_literal: true

require_relative "../kinds"
require_relative "amount"

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
      # The interval goes from the fastest twentieth of the calls to three quarters of them. With few calls, it goes
      # from the shortest to the longest call, and includes the cost model's time.
      #
      # Of two calls with the same path, the first loads the kernel's data about the path into the caches of the
      # processor. If the first is removed, the second has to load them. So the removal of a repeated call saves only
      # the time of the fastest calls of its kind.
      class Savings
        ENOUGH = 10 # calls
        MAX_SAMPLES = 1000 # evenly spread: more samples do not improve the median
        MEDIAN = 0.5
        FASTEST = 0.05 # a quantile: the shortest duration may be an error of the clock
        SLOW = 0.75
        NAMES = %i[readdir getdents64].freeze
        private_constant :ENOUGH, :MAX_SAMPLES, :MEDIAN, :FASTEST, :SLOW, :NAMES

        # @return [CostModel]
        attr_reader :cost_model

        # @param cost_model [CostModel]
        def initialize(cost_model)
          @cost_model = cost_model
          @methods = {}.compare_by_identity
        end

        # @param calls [Array<Call>]
        # @return [Amount]
        def of(calls) = total(calls, MEDIAN)

        # @param calls [Array<Call>] each near to another call with the same path that is not removed
        # @return [Amount]
        def repeated(calls) = total(calls, FASTEST)

        # How long the kernel takes for the names depends on their number, so each folder has its own time.
        #
        # @param calls [Array<Call>] of listings that repeat others
        # @return [Amount]
        def listings(calls)
          names, others = calls.partition { |call| NAMES.include?(call.name) }
          names.group_by(&:path).sum(total(others, FASTEST)) do |_, same|
            times = same.map { |call| call.taken / 1000.0 }
            Amount.new(times.min, times.min, times.max) * same.size
          end
        end

        # Between two small reads, the program runs its own code, which each read slows down.
        #
        # @param calls [Array<Call>] small reads of files that could be read at once
        # @return [Amount]
        def reads(calls)
          more = @cost_model.disturbance_us - @cost_model.piece_us
          (total(calls, MEDIAN) + Amount.of(calls.size * more)).positive
        end

        # @param calls [Array<Call>] that `require` makes: Ruby's own search opens files, the search of RubyGems only
        #   asks whether they exist
        # @return [Amount]
        def searches(calls)
          opens, others = calls.partition { |call| Kinds::OPENS.include?(call.name) }
          total(others, MEDIAN) + total(opens, MEDIAN) { @cost_model.search_us }
        end

        # @param depths [Array<Integer>] the frames of each exception
        # @return [Amount]
        def exceptions(depths) = Amount.of(depths.sum(0.0) { |depth| @cost_model.exception_us(depth) })

        # @param calls [Array<Call>] computations, whose durations are all that they cost
        # @return [Amount]
        def durations(calls) = Amount.of(calls.sum(&:duration) / 1000.0)

        private

        # @yieldreturn [Float] µs that Ruby needs around each call, instead of the overhead in the cost model
        def total(calls, quantile, &overhead)
          groups(calls).sum(Amount.of(0.0)) do |name, method, failed, some|
            unit(name, method, failed, some, quantile, &overhead) * some.size
          end
        end

        # @return [Array<Array(Symbol, String, Boolean, Array<Call>)>] function, method written in C, whether they
        #   failed, calls
        def groups(calls)
          calls.group_by { |call| method_of(call.stack) }.flat_map do |method, some|
            some.group_by(&:name).flat_map do |name, same|
              failed, fine = same.partition(&:error)
              [[name, method, true, failed], [name, method, false, fine]].reject { |*, equal| equal.empty? }
            end
          end
        end

        # @return [String, nil] the method, written in C, that made the call
        def method_of(stack)
          @methods.fetch(stack) do
            frame = stack.frames.first
            @methods[stack] = (frame.label.to_s[/\w+[?!]?\z/] if frame && !frame.source?)
          end
        end

        # @return [Amount] for one call
        def unit(name, method, failed, calls, quantile)
          around = block_given? ? yield : @cost_model.overhead_us(name, method)
          times = sample(calls).map { |nanoseconds| [nanoseconds / 1000.0 - @cost_model.clock_us, 0.0].max + around }
          return few(@cost_model.call_us(name, failed: failed), times) if calls.size < ENOUGH

          Amount.new(*[quantile, FASTEST, SLOW].map { |share| times[(times.size * share).floor] })
        end

        # @return [Array<Integer>] durations, the shortest first
        def sample(calls)
          step = [calls.size / MAX_SAMPLES, 1].max
          (0...calls.size).step(step).map { |index| calls[index].taken }.sort
        end

        def few(usual, times) = Amount.new(usual, [usual, times.first].min, [usual, times.last].max)
      end
    end
  end
end
