# frozen_string_literal: true

require_relative "../../readable"

module Frugal
  module Profile
    module Findings
      # The phrases of findings.
      module Prose
        # Why an answer was still known.
        HELD = "nothing had changed, and the thread had not waited"

        module_function

        # @param number [Integer]
        # @param singular [String]
        # @param plural [String]
        # @return [String] such as "1,200 calls"
        def some(number, singular, plural = "#{singular}s")
          "#{Readable.count(number)} #{number == 1 ? singular : plural}"
        end

        # @param number [Integer]
        # @return [String] such as "70,180"
        def number(number) = Readable.count(number)

        # @param share [Float] 0–1
        # @return [String] such as "33 %"
        def percent(share) = format(share.positive? && share < 0.01 ? "%.1f %%" : "%.0f %%", share * 100)

        # @param names [Enumerable<Symbol>]
        # @return [String] the most frequent names, such as "stat" or "stat and eaccess"
        def names(names) = names.tally.max_by(2, &:last).map(&:first).join(" and ")

        # @param calls [Array<Call>]
        # @return [String] the most frequent functions
        def functions(calls) = names(calls.map(&:name))

        # @param values [Array] at least one
        # @return [Object] the most frequent one
        def most(values) = values.tally.max_by(&:last).first
      end
    end
  end
end
