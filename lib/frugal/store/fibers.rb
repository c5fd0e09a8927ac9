# frozen_string_literal: true

require_relative "../platform"

module Frugal
  class Store
    # Finds the thread of the current fiber, and whether the fiber may wait for another fiber of that thread.
    module Fibers
      THREAD = :frugal_thread
      private_constant :THREAD

      class << self
        # Each fiber of JRuby is a Thread, with the thread variables of the thread to which the fiber belongs.
        #
        # @return [Object] the same object in all fibers of a thread
        def thread
          thread = Thread.current
          return thread unless Platform::JRUBY

          thread.thread_variable_get(THREAD) || Object.new.tap { |mark| thread.thread_variable_set(THREAD, mark) }
        end

        # @return [Boolean] whether a scheduler runs other fibers while this fiber waits for a Mutex; not under JRuby
        def scheduled? = Platform::MRI && !Fiber.current_scheduler.nil?
      end
    end
  end
end
