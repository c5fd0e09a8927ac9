# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # Who else could look at an exception, at its message or at its trace. Rails' and
      # Rack's own middleware and subscribers do not, so that it need not be raised, and
      # its message need not be made, for them.
      module Onlookers
        MIDDLEWARE = %w[
          ActionDispatch::HostAuthorization ActionDispatch::AssumeSSL ActionDispatch::SSL Rack::Sendfile ActionDispatch::Static Rack::Lock
          ActionDispatch::Executor ActionDispatch::ServerTiming Rack::Runtime Rack::MethodOverride ActionDispatch::RequestId
          ActionDispatch::RemoteIp Rails::Rack::Logger Rails::Rack::SilenceRequest Propshaft::Server Rack::Deflater
          Frugal::Dropin::Rails::RouteCheck
        ].freeze
        SUBSCRIBERS = %w[
          ActionController::LogSubscriber ActionController::StructuredEventSubscriber ActionDispatch::LogSubscriber
          ActionDispatch::StructuredEventSubscriber
        ].freeze
        PAYLOAD_OWNERS = %w[ActionController::Instrumentation ActiveRecord::Railties::ControllerRuntime].freeze
        REQUEST = "request.action_dispatch"
        UNKNOWN = "ActionController::RoutingError"
        ACTION = %w[start_processing.action_controller process_action.action_controller].freeze
        private_constant :MIDDLEWARE, :SUBSCRIBERS, :PAYLOAD_OWNERS, :REQUEST, :UNKNOWN, :ACTION

        @listeners = {}

        class << self
          # Whether somebody may want to see where an unknown route was raised.
          #
          # @param shower [ActionDispatch::ShowExceptions]
          # @param env [Hash]
          def of_route?(shower, env)
            outside?(shower) || !shower.frugal_exceptions_app.instance_of?(::ActionDispatch::PublicExceptions) ||
              !::ActionDispatch::DebugExceptions.interceptors.empty? || Bypassed.render? || env[DETAILED] || foreign?(REQUEST) ||
              !::ActionDispatch::ExceptionWrapper.rescue_responses.key?(UNKNOWN) # it is then reported
          end

          # Whether somebody may read what the notification of an action says of its error.
          #
          # @param controller [ActionController::Metal]
          def of_action?(controller)
            ACTION.any? { |event| foreign?(event) } || own_payload?(controller.class)
          end

          private

          # The stack is made once.
          def outside?(shower)
            return @outside if @shower.equal?(shower)

            @outside = strangers?(shower)
            @shower = shower
            @outside
          end

          def strangers?(shower)
            layer = ::Rails.application&.app
            until layer.nil? || layer.equal?(shower)
              return true unless MIDDLEWARE.include?(layer.class.name)

              layer = layer.instance_variable_get(:@app)
            end
            layer.nil?
          end

          # The notifier keeps one list of an event's listeners for as long as they are the same.
          def foreign?(event)
            notifier = ::ActiveSupport::Notifications.notifier
            list = RAILS70 ? notifier.listeners_for(event) : notifier.all_listeners_for(event)
            known, foreign = @listeners[event]
            return foreign if known.equal?(list)

            foreign = list.any? { |one| !SUBSCRIBERS.include?(one.instance_variable_get(:@delegate).class.name) }
            @listeners[event] = [list, foreign]
            foreign
          end

          # An application that adds to the payload may keep it.
          def own_payload?(controller)
            !PAYLOAD_OWNERS.include?(controller.instance_method(:append_info_to_payload).owner.name)
          end
        end
      end
    end
  end
end
