# frozen_string_literal: true

module Frugal
  module Bench
    # Runs the block below the given number of stack frames, which make a backtrace longer.
    #
    # @param frames [Integer]
    # @return [Object] the value of the block
    def self.deep(frames, &block) = frames.zero? ? yield : deep(frames - 1, &block)
  end
end
