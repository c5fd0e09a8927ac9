# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # Starts and finishes a notification. From Rails 7.1 on there are handles for that.
      module Notification
        # A notification that has been started under Rails 7.0.
        Started = ::Struct.new(:instrumenter, :listeners, :name, :payload) do
          def finish = instrumenter.finish_with_state(listeners, name, payload)
        end

        # @return [#finish]
        def self.start(instrumenter, name, payload)
          unless instrumenter.respond_to?(:build_handle)
            return Started.new(instrumenter, instrumenter.start(name, payload), name, payload)
          end

          instrumenter.build_handle(name, payload).tap(&:start)
        end
      end

      # Patches ActionController::Instrumentation: it notifies the subscribers of an action without
      # raising the action's exception again (see {Reraise}).
      module Instrumentation
        EVENT = "process_action.action_controller"
        private_constant :EVENT

        private

        def process_action(*arguments) # rubocop:disable Metrics/MethodLength -- subscribers see its frames
          payload = or_stock { frugal_payload unless $! }
          notifications = ::ActiveSupport::Notifications
          notifications.instrument("start_processing.action_controller", payload)
          listening = notifications.notifier.listening?(EVENT)
          handle = Notification.start(notifications.instrumenter, EVENT, payload) if listening
          begin
            begin
              result = super
              payload[:response] = response
              payload[:status] = response.status
              result
            ensure
              frugal_complete(payload, $!)
            end
          ensure
            begin
              frugal_add_exception(payload, $!) if $! && handle
            ensure
              handle&.finish
            end
          end
        end

        # @return [Hash, nil] nil if stock must notify the subscribers
        def frugal_payload
          return if Overridden.instrument?

          ::ActiveSupport::ExecutionContext[:controller] = self
          { controller: self.class.name, action: action_name, request: request, params: request.filtered_parameters,
            headers: request.headers, format: request.format.ref, method: request.request_method, path: frugal_path }
        end

        # Rails filters the parameters in the path from 7.1 on.
        def frugal_path = RAILS70 ? request.fullpath : request.filtered_path

        def frugal_complete(payload, error)
          return unless ::StandardError === error

          payload[:status] = ::ActionDispatch::ExceptionWrapper.status_code_for_exception(error.class.name)
          raise error if Reraise.another?(error)
        ensure
          append_info_to_payload(payload)
        end

        def frugal_add_exception(payload, error)
          payload[:exception] = [error.class.name, frugal_message(error)]
          payload[:exception_object] = error
          raise error if Reraise.another?(error)
        end

        # Without spelling suggestions, which are expensive, if nobody reads the message.
        def frugal_message(error)
          plain = OwnFailure.or_else(nil) do
            unread = HTTP::UndecoratedMessage.decorated?(error) && !Observers.of_action?(self)
            HTTP::UndecoratedMessage.of(error) if unread
          end
          plain || error.message
        end
      end
    end
  end
end
