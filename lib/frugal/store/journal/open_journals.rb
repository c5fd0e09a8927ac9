# frozen_string_literal: true

module Frugal
  class Store
    class Journal
      # Limits the number of open journals: beyond {AT_MOST}, the least recently opened journal
      # that is not in use is closed.
      module OpenJournals
        AT_MOST = 16
        @open = {} # oldest first
        @busy = {}
        @guard = Thread::Mutex.new

        class << self
          # Keeps the journal open while the block runs.
          def hold(journal)
            @guard.synchronize { @busy[journal] = true }
            yield
          ensure
            @guard.synchronize { @busy.delete(journal) }
          end

          def add(journal)
            @guard.synchronize do
              @open[journal] = true
              next unless @open.size > AT_MOST

              idle = @open.each_key.find { |other| !other.equal?(journal) && !@busy.key?(other) } or next
              @open.delete(idle)
              idle.close_file
            end
          end

          def remove(journal) = @guard.synchronize { @open.delete(journal) }
        end
      end
    end
  end
end
