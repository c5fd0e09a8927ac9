# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # Reports whether code other than Rails' and Rack's own could see an exception, its message
      # or its backtrace. If there is no such observer, the exception of an unknown route is not
      # raised, and the message for subscribers is made without spelling suggestions.
      module Observers
        # Middleware that does not look at exceptions.
        MIDDLEWARE = %w[
          ActionDispatch::HostAuthorization ActionDispatch::AssumeSSL ActionDispatch::SSL Rack::Sendfile
          ActionDispatch::Static Rack::Lock ActionDispatch::Executor ActionDispatch::ServerTiming Rack::Runtime
          Rack::MethodOverride ActionDispatch::RequestId ActionDispatch::RemoteIp Rails::Rack::Logger
          Rails::Rack::SilenceRequest Propshaft::Server Rack::Deflater Frugal::Dropin::Rails::RouteCheck
        ].freeze
        # Subscribers that use neither message nor backtrace of an exception.
        SUBSCRIBERS = %w[
          ActionController::LogSubscriber ActionController::StructuredEventSubscriber ActionDispatch::LogSubscriber
          ActionDispatch::StructuredEventSubscriber
        ].freeze
        # Modules whose `append_info_to_payload` does not keep the payload.
        PAYLOAD_OWNERS = %w[ActionController::Instrumentation ActiveRecord::Railties::ControllerRuntime].freeze
        REQUEST_EVENT = "request.action_dispatch"
        ROUTING_ERROR = "ActionController::RoutingError"
        ACTION_EVENTS = %w[start_processing.action_controller process_action.action_controller].freeze
        private_constant(*constants(false))

        @listeners = {}

        class << self
          # Reports whether other code may look at the exception of an unknown route.
          #
          # @param show_exceptions [ActionDispatch::ShowExceptions]
          # @param env [Hash] the Rack environment
          def of_unknown_route?(show_exceptions, env)
            around?(show_exceptions) ||
              !show_exceptions.frugal_exceptions_app.instance_of?(::ActionDispatch::PublicExceptions) ||
              !::ActionDispatch::DebugExceptions.interceptors.empty? || Overridden.render_exception? || env[DETAILED] ||
              subscribed?(REQUEST_EVENT) ||
              !::ActionDispatch::ExceptionWrapper.rescue_responses.key?(ROUTING_ERROR) # it is reported as unexpected
          end

          # Reports whether other code may read the exception in the notification of an action.
          #
          # @param controller [ActionController::Metal]
          def of_action?(controller)
            ACTION_EVENTS.any? { |event| subscribed?(event) } || own_payload?(controller.class)
          end

          private

          # Whether an unknown middleware is around ShowExceptions. Rails builds its middleware stack once,
          # so the answer is remembered.
          def around?(show_exceptions)
            return @around if @show_exceptions.equal?(show_exceptions)

            @around = unknown_middleware_around?(show_exceptions)
            @show_exceptions = show_exceptions
            @around
          end

          def unknown_middleware_around?(show_exceptions)
            layer = ::Rails.application&.app
            until layer.nil? || layer.equal?(show_exceptions)
              return true unless MIDDLEWARE.include?(layer.class.name)

              layer = layer.instance_variable_get(:@app)
            end
            layer.nil?
          end

          # Whether an unknown subscriber listens to the event. The notifier returns the same list object
          # until the subscribers change, so the answer is remembered for each list.
          def subscribed?(event)
            notifier = ::ActiveSupport::Notifications.notifier
            list = RAILS70 ? notifier.listeners_for(event) : notifier.all_listeners_for(event)
            checked, answer = @listeners[event]
            return answer if checked.equal?(list)

            answer = list.any? do |listener|
              !SUBSCRIBERS.include?(listener.instance_variable_get(:@delegate).class.name)
            end
            @listeners[event] = [list, answer]
            answer
          end

          # Whether the application adds to the payload: it may then keep the payload, too.
          def own_payload?(controller)
            !PAYLOAD_OWNERS.include?(controller.instance_method(:append_info_to_payload).owner.name)
          end
        end
      end
    end
  end
end
