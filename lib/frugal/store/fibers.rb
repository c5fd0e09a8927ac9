# frozen_string_literal: true

require_relative "../platform"

module Frugal
  class Store
    # Which thread a fiber belongs to, and whether it may wait for another fiber of that thread.
    module Fibers
      THREAD = :frugal_thread
      private_constant :THREAD

      class << self
        # Each fiber of JRuby is a Thread, with the thread variables of the one that it belongs to.
        #
        # @return [Object] the same one in all fibers of a thread
        def thread
          thread = Thread.current
          return thread unless Platform::JRUBY

          thread.thread_variable_get(THREAD) || Object.new.tap { |mark| thread.thread_variable_set(THREAD, mark) }
        end

        # @return [Boolean] whether a scheduler lets the others run while this one waits; a Mutex of JRuby does not
        def scheduled? = Platform::MRI && !Fiber.current_scheduler.nil?
      end
    end
  end
end
