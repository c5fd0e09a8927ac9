# frozen_string_literal: true

require_relative "../walk/progress"

module Frugal
  module CLI
    module Store
      # One line on a terminal while roots are copied.
      class Progress < Walk::Progress
        # @yieldparam progress [Progress] itself
        def during_all(&block) = during { block.call(self) }

        # @param done [Integer] roots
        # @param all [Integer]
        def at(done, all)
          @paths = done
          @all = all
        end

        private

        def words(seconds) = "store: #{"#{grouped(@paths)} of #{grouped(@all)} roots, " if @all}#{seconds.floor} s …"
      end
    end
  end
end
