# frozen_string_literal: true

require_relative "../cost"

module Frugal
  class Cost
    # The assertion of `require "frugal/minitest"`, for each class that includes minitest's assertions.
    module Assertions
      # Fails unless the block keeps all limits. The message lists the calls with their lines.
      #
      #   assert_cost(syscalls: 1, exceptions: 0) { Frugal.mtime(path) }
      #   page = assert_cost(opens: 1, writes: 0, allocations: ..50) { cache.read("page") }
      #
      # @param limits [Hash{Symbol => Integer, Range}] the limits, by names of {Limits::NAMES}
      # @yield once; see {Cost} for what counts
      # @return [Object] the value of the block
      # @raise [Minitest::Assertion]
      # @raise [Unavailable] if costs cannot be counted in this process
      def assert_cost(**limits, &block)
        raise UsageError, "assert_cost needs a block" unless block

        limits = Limits.new(limits)
        cost = Cost.of(&block)
        assert limits.met?(cost), -> { limits.problems(cost).join("\n") }
        cost.value
      end
    end
  end
end
