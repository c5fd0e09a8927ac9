# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # Reports whether other code has overridden a method of Rails that the drop-in skips.
      # Error reporters prepend to such a method or redefine it, some of them only after the
      # application has booted. From then on the method is called as stock calls it.
      #
      # *Cost* of each check: one object.
      module Overridden
        # @return [UnboundMethod, nil] Rails' own method; nil if it was overridden before this file was loaded
        def self.own(owner, name, file)
          method = owner.instance_method(name)
          method if Guard.pristine?(owner, name, file: file)
        end
        private_class_method :own

        DEBUG = ::ActionDispatch::DebugExceptions
        DEBUG_FILE = "/action_dispatch/middleware/debug_exceptions.rb"
        NOTIFICATIONS = ::ActiveSupport::Notifications.singleton_class
        INSTRUMENTER = ::ActiveSupport::Notifications::Instrumenter
        CALL = own(DEBUG, :call, DEBUG_FILE)
        RENDER_EXCEPTION = own(DEBUG, :render_exception, DEBUG_FILE)
        INSTRUMENT = own(NOTIFICATIONS, :instrument, "/active_support/notifications.rb")
        INSTRUMENTER_INSTRUMENT = own(INSTRUMENTER, :instrument, "/active_support/notifications/instrumenter.rb")
        private_constant(*constants(false))

        class << self
          # @return [Boolean] whether ActionDispatch::DebugExceptions#call is overridden
          def debug_exceptions_call? = DEBUG.instance_method(:call) != CALL

          # @return [Boolean] whether ActionDispatch::DebugExceptions#render_exception is overridden
          def render_exception? = DEBUG.instance_method(:render_exception) != RENDER_EXCEPTION

          # @return [Boolean] whether a method that notifies the subscribers of an event is overridden
          def instrument?
            NOTIFICATIONS.instance_method(:instrument) != INSTRUMENT ||
              INSTRUMENTER.instance_method(:instrument) != INSTRUMENTER_INSTRUMENT
          end
        end
      end
    end
  end
end
