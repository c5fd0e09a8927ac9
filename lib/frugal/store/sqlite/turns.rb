# frozen_string_literal: true

require_relative "../../native"
require_relative "../../wait"

module Frugal
  class Store
    module SQLite
      # The file `PATH-turn` beside an SQLite file. Processes queue up by locks on its bytes, because SQLite itself has
      # no queue, so one of many writers could wait for seconds. The file is empty; deleting it affects only the order.
      module Turns
        # The slot of the writers to the store; sessions use other slots.
        WRITERS = 0

        # @param path [String] of the SQLite file
        # @return [Object, nil] a file for {Wait.for_turn}; nil if it cannot be created
        def self.open(path, slot = WRITERS)
          Native.engine::TurnFile.open("#{path}-turn", slot, File.exist?(path) ? File.stat(path).mode & 0o666 : 0o600)
        rescue SystemCallError
          nil
        end
      end
    end
  end
end
