# frozen_string_literal: true

module Frugal
  module Profile
    class Diff
      # How many calls, exceptions or superfluous calls a method made in one run and in the other.
      #
      # file, method:: String or nil outside of Ruby
      # line:: the line of the method with the most calls, in the second run if it has any
      # name:: the function, the class or the kind
      # before, after:: Integer, the counts
      Change = Struct.new(:file, :method, :line, :name, :before, :after) do
        # @return [Integer]
        def difference = after - before

        # @return [Boolean]
        def none? = difference.zero?

        # @return [Symbol] `:gone`, `:new`, `:more` or `:fewer`
        def kind
          return :new if before.zero?
          return :gone if after.zero?

          difference.positive? ? :more : :fewer
        end
      end
    end
  end
end
