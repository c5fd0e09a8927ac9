# frozen_string_literal: true

require_relative "../profile/kinds"

module Frugal
  class Budget
    # A limit that a run exceeds. `limit` is one of {LIMITS}, `most` its value, `count` the count of the run, and
    # `lines` are the source lines with the largest parts of the count.
    Excess = Struct.new(:limit, :most, :count, :lines) do
      # @return [Integer] by how many the count exceeds the limit
      def over = count - most
    end

    # A source line of an excess: `share` is its part of the whole count, 0–1. File and line are nil for events outside
    # of Ruby.
    Line = Struct.new(:file, :line, :count, :share)

    # Made from a recording.
    class Excess
      LINES = 5
      private_constant :LINES

      class << self
        # @param limit [Symbol]
        # @param most [Integer]
        # @param count [Integer]
        # @param calls [Array<Profile::Call>] the calls that count
        # @param raises [Array<Profile::Raise>]
        # @return [Excess, nil] nil if the limit is not exceeded
        def of(limit, most, count, calls, raises)
          return unless count > most

          events = limit == :exceptions ? raises : of_kind(calls, limit)
          new(limit, most, count, lines(events, count))
        end

        private

        def lines(events, count)
          top = places(events).sort_by { |place, number| [-number, place.to_s] }.first(LINES)
          top.map { |(file, line), number| Line.new(file, line, number, number.fdiv(count)) }
        end

        def of_kind(calls, limit)
          names = Profile::Kinds::OF[limit]
          names ? calls.select { |call| names.include?(call.name) } : calls
        end

        # Counts by stack first: its identity is a cheaper key than the name of a file.
        #
        # @return [Hash{Array(String, Integer) => Integer}] `[nil, nil]` outside of Ruby
        def places(events)
          stacks = Hash.new(0).compare_by_identity
          events.each { |event| stacks[event.stack] += 1 }
          stacks.each_with_object(Hash.new(0)) do |(stack, number), places|
            places[[stack.site&.file, stack.site&.line]] += number
          end
        end
      end
    end
  end
end
