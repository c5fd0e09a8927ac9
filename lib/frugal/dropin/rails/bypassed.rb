# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # Methods of Rails that ours need not call. Error reporters put theirs in front of
      # one, or in its place, and some only when the application is up: as soon as it is
      # so, it is called as stock calls it.
      #
      # Cost of a question: an object.
      module Bypassed
        # @return [UnboundMethod, nil] upstream's own; nil where it is somebody else's already
        def self.own(owner, name, file)
          method = owner.instance_method(name)
          method if method.owner.equal?(owner) && method.source_location&.first.to_s.end_with?(file)
        end
        private_class_method :own

        DEBUG = ::ActionDispatch::DebugExceptions
        NOTIFICATIONS = ::ActiveSupport::Notifications.singleton_class
        INSTRUMENTER = ::ActiveSupport::Notifications::Instrumenter
        CALL, RENDER = %i[call render_exception].map { |name| own(DEBUG, name, "/action_dispatch/middleware/debug_exceptions.rb") }
        INSTRUMENT = own(NOTIFICATIONS, :instrument, "/active_support/notifications.rb")
        INSTRUMENT_ONE = own(INSTRUMENTER, :instrument, "/active_support/notifications/instrumenter.rb")
        private_constant :DEBUG, :NOTIFICATIONS, :INSTRUMENTER, :CALL, :RENDER, :INSTRUMENT, :INSTRUMENT_ONE

        class << self
          # @return [Boolean] whether somebody else has ActionDispatch::DebugExceptions#call
          def call? = DEBUG.instance_method(:call) != CALL

          # @return [Boolean] whether somebody else has ActionDispatch::DebugExceptions#render_exception
          def render? = DEBUG.instance_method(:render_exception) != RENDER

          # @return [Boolean] whether somebody else has what tells subscribers of an event
          def instrument? = NOTIFICATIONS.instance_method(:instrument) != INSTRUMENT || INSTRUMENTER.instance_method(:instrument) != INSTRUMENT_ONE
        end
      end
    end
  end
end
