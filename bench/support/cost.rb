# frozen_string_literal: true

require_relative "../../lib/frugal/compare"

module Frugal
  module Bench
    # The exact cost of one operation: its system calls on files by name, and the
    # exceptions raised.
    Cost = Struct.new(:calls, :exceptions) do
      # @param calls [Hash{String => Integer}, nil] of all operations
      # @param exceptions [Integer, nil] of all operations
      # @param operations [Integer] their number
      # @return [Cost] of one operation
      def self.per_operation(calls, exceptions, operations)
        one = ->(count) { (count % operations).zero? ? count / operations : count.fdiv(operations).round(2) }
        new(calls&.transform_values(&one), exceptions&.then(&one))
      end

      # @return [String, nil] such as "open getdents×2 close"; nil if they were not counted, because strace is missing
      def names = calls&.map { |name, count| count == 1 ? name : "#{name}×#{Readable.count(count)}" }&.join(" ")

      # @return [Numeric, nil] system calls, as above
      def total = calls&.values&.sum
    end
  end
end
