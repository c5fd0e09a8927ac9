# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The files that stores hold open, few of them, and those in a transaction.
      module StorePool
        AT_MOST = 32

        # MRI runs one change of a Hash at a time, and lets no handler of a signal lock a
        # Mutex; elsewhere threads run at the same time, and handlers in one of their own.
        module Unlocked
          def self.synchronize = yield
        end
        private_constant :Unlocked

        @open = {}.compare_by_identity # oldest first
        @held = {}.compare_by_identity
        @guard = RUBY_ENGINE == "ruby" ? Unlocked : Mutex.new

        class << self
          def opened(file) = @guard.synchronize { @open[file] = true }
          def closed(file) = @guard.synchronize { @open.delete(file) }
          def hold(file) = @guard.synchronize { @held[file] = true }
          def let_go(file) = @guard.synchronize { @held.delete(file) }

          # @return [Array<StoreFile>] those in a transaction
          def held = @guard.synchronize { @held.keys }

          def surplus? = @open.size > AT_MOST

          def full? = @open.size >= AT_MOST && !idle.nil?

          # @return [Boolean] whether there was one
          def close_oldest
            oldest = idle or return false
            oldest.close
            true
          end

          private

          # Of a copy: a Hash that is gone through takes no new key.
          def idle = @guard.synchronize { @open.keys.find { |file| !@held.key?(file) } }
        end
      end
    end
  end
end
