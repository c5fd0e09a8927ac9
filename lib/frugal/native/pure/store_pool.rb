# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The open files of stores, at most {AT_MOST}, and the held files: files in a
      # transaction.
      module StorePool
        AT_MOST = 32

        # For MRI, which changes a Hash atomically, and whose signal handlers cannot lock a Mutex.
        # In other Rubies, threads run in parallel, and signal handlers in a separate thread.
        module Unlocked
          def self.synchronize = yield
        end
        private_constant :Unlocked

        @open = {}.compare_by_identity # oldest first
        @held = {}.compare_by_identity
        @guard = Platform::MRI ? Unlocked : Mutex.new

        class << self
          def opened(file) = @guard.synchronize { @open[file] = true }
          def closed(file) = @guard.synchronize { @open.delete(file) }
          def hold(file) = @guard.synchronize { @held[file] = true }
          def release(file) = @guard.synchronize { @held.delete(file) }

          # Must be called after {hold}: {StoreFile#close_if_idle} removes the file first, and then checks {held}.
          def open?(file) = @guard.synchronize { @open.key?(file) }

          # @return [Array<StoreFile>]
          def held = @guard.synchronize { @held.keys }

          def surplus? = @open.size > AT_MOST

          def full? = @open.size >= AT_MOST && !idle.nil?

          # @return [Boolean] whether a file was closed
          def close_oldest
            oldest = idle or return false
            oldest.close_if_idle
            true
          end

          private

          # Searches a copy, because a key cannot be added to a Hash during iteration.
          def idle = @guard.synchronize { @open.keys.find { |file| !@held.key?(file) } }
        end
      end
    end
  end
end
