# frozen_string_literal: true

module Frugal
  module Bench
    # Runs the block below so many frames: a backtrace gets longer by them.
    #
    # @param frames [Integer]
    # @return [Object] what the block answers
    def self.deep(frames, &block) = frames.zero? ? yield : deep(frames - 1, &block)
  end
end
