# frozen_string_literal: true

module Frugal
  class Store
    # The journals that are open, few of them: whoever is used longest ago is closed.
    module OpenJournals
      AT_MOST = 16
      @open = {} # oldest first
      @busy = {}
      @guard = Thread::Mutex.new

      class << self
        # While the block runs, the journal stays open.
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
            idle.shut
          end
        end

        def forget(journal) = @guard.synchronize { @open.delete(journal) }
      end
    end
  end
end
