# frozen_string_literal: true

require_relative "../cost"

module Frugal
  class Cost
    # The matcher of `require "frugal/rspec"`.
    #
    #   expect { Frugal.mtime(path) }.to cost(syscalls: 1, exceptions: 0)
    #   expect { cache.read("page") }.to cost(opens: 1, allocations: ..50)
    #   expect { cache.read("page") }.to cost(stats: a_value < 3).and change(log, :size)
    #   expect { cache.read("page") }.not_to cost(writes: 1..)
    #
    # Negated, it fails if all limits are met.
    class Matcher
      include ::RSpec::Matchers::Composable

      # @param limits [Hash{Symbol => Integer, Range, #matches?}] by names of {Limits::NAMES}
      # @raise [UsageError]
      def initialize(limits)
        @limits = Limits.new(limits)
      end

      # @param block [Proc] called once
      # @return [Boolean]
      # @raise [Unavailable] if costs cannot be counted in this process
      # @raise [UsageError] for a value in place of a block
      def matches?(block)
        raise UsageError, "cost needs a block: expect { … }.to #{description}" unless block.is_a?(Proc)

        @cost = Cost.of(&block)
        @limits.met?(@cost)
      end

      # @return [Boolean]
      def supports_block_expectations? = true

      # @return [Boolean]
      def supports_value_expectations? = false

      # @return [String] such as "cost syscalls: 1, exceptions: 0"
      def description = "cost #{@limits}"

      # @return [String] the message, with the calls that count, and their lines
      def failure_message = "expected the block to #{description}\n\n#{@limits.problems(@cost).join("\n")}"

      # @return [String]
      def failure_message_when_negated
        counts = @limits.limits.keys.map { |name| "#{name}: #{@cost.counts.fetch(name)}" }
        "expected the block not to #{description}, got #{counts.join(", ")}"
      end
    end

    # The methods that `require "frugal/rspec"` adds to RSpec::Matchers.
    module Matchers
      # @param limits [Hash{Symbol => Integer, Range, #matches?}] the limits, by names of {Limits::NAMES}
      # @return [Matcher] for `expect { … }.to cost(syscalls: 1)`
      # @raise [UsageError]
      def cost(**limits) = Matcher.new(limits)
    end
  end
end
