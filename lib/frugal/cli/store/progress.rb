# frozen_string_literal: true

require_relative "../walk/progress"

module Frugal
  module CLI
    module Store
      # The progress of a conversion: one line on a terminal.
      class Progress < Walk::Progress
        # @yieldparam progress [Progress] itself
        def during_all(&block) = during { block.call(self) }

        # @param done [Integer] number of converted roots
        # @param all [Integer] number of all roots
        def at(done, all)
          @paths = done
          @all = all
        end

        private

        def words(seconds)
          roots = "#{count(@paths)} of #{count(@all)} roots, " if @all
          "store: #{roots}#{seconds.floor} s …"
        end
      end
    end
  end
end
