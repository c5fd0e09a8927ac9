# frozen_string_literal: true

require_relative "../../native"
require_relative "../../wait"

module Frugal
  class Store
    module SQLite
      # The file `PATH-turn` beside an SQLite file, in whose bytes processes queue up: SQLite itself has no queue, so
      # one writer of many could wait for seconds. It is empty, and who deletes it takes away no more than the order.
      module Turns
        # The slot of those who write to the store; a session has another one.
        WRITERS = 0

        # @param path [String] of the SQLite file
        # @return [Object, nil] a file for {Wait.for_turn}; nil if it cannot be made
        def self.open(path, slot = WRITERS)
          Native.engine::TurnFile.open("#{path}-turn", slot, File.exist?(path) ? File.stat(path).mode & 0o666 : 0o600)
        rescue SystemCallError
          nil
        end
      end
    end
  end
end
