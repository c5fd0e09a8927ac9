# frozen_string_literal: true

module Frugal
  module Profile
    module Findings
      # A time with its interval: us, low, high:: Float, microseconds.
      Amount = Struct.new(:us, :low, :high) do
        # @param microseconds [Float]
        # @return [Amount] without an interval
        def self.of(microseconds) = new(microseconds, microseconds, microseconds)

        def +(other) = Amount.new(us + other.us, low + other.low, high + other.high)
        def -(other) = Amount.new(us - other.us, low - other.high, high - other.low)

        # @param factor [Numeric] not negative
        def *(other) = Amount.new(us * other, low * other, high * other)

        # @return [Amount] at least 0
        def positive = Amount.new(*to_a.map { |microseconds| [microseconds, 0.0].max })

        # @return [Array(Float, Float)]
        def range = [low, high]
      end
    end
  end
end
