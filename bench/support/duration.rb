# frozen_string_literal: true

module Frugal
  module Bench
    # Formats times from nanoseconds to minutes with three digits.
    module Duration
      UNITS = [["s", 1.0], ["ms", 1e-3], ["µs", 1e-6], ["ns", 1e-9]].freeze

      # @param seconds [Float]
      # @return [String] such as "850 ns", "12.3 ms" or "5.80 s"
      def self.readable(seconds)
        unit, size = UNITS.find { |_, one| seconds >= one * 0.9995 } || UNITS.last
        value = seconds / size
        digits = { 10 => 2, 100 => 1 }.find { |below, count| value.round(count) < below }&.last || 0
        "#{format("%.#{digits}f", value)} #{unit}"
      end
    end
  end
end
