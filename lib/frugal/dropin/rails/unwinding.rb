# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # What looks at an exception on its way, and lets it go on. Stock rescues it and
      # raises it again, which makes Ruby turn its trace into strings, a line for each
      # frame; here it is looked at in +ensure+, while it travels. Where an exception is
      # being handled already, <tt>$!</tt> would not tell one that travels from that one,
      # and stock does it.
      #
      # +raise+ asks an exception for the one to raise: one that has another gets asked here too.
      module Unwinding
        # Whatever an exception answers for itself.
        SAME = ::BasicObject.instance_method(:equal?)
        private_constant :SAME

        # @return [Boolean] whether to raise it again would raise another
        def self.twin?(error) = !SAME.bind_call(error, error.exception)
      end

      # In ActionController::Rescue. What it replaces is not called: the name that
      # Instrumentation's goes by, further out, would be found.
      module Rescue
        private

        def process_action(*)
          if $!
            begin
              super
            rescue ::Exception => error # rubocop:disable Lint/RescueException (as stock does)
              frugal_rescue(error) || raise
            end
          else
            begin
              super
            ensure
              if (error = $!)
                handled = frugal_rescue(error)
                return handled if handled

                raise error if Unwinding.twin?(error)
              end
            end
          end
        end

        def frugal_rescue(error)
          request.env[DETAILED] ||= show_detailed_exceptions?
          rescue_with_handler(error)
        end
      end

      # What Rails 7.0 has otherwise.
      module Notifier
        # A notification of Rails 7.0 that has begun.
        Begun = ::Struct.new(:instrumenter, :listeners, :name, :payload) do
          def finish = instrumenter.finish_with_state(listeners, name, payload)
        end

        # @return [#finish]
        def self.start(instrumenter, name, payload)
          return Begun.new(instrumenter, instrumenter.start(name, payload), name, payload) unless instrumenter.respond_to?(:build_handle)

          instrumenter.build_handle(name, payload).tap(&:start)
        end

        # With its parameters filtered from Rails 7.1 on.
        def self.path(request) = RAILS70 ? request.fullpath : request.filtered_path
      end

      # In ActionController::Instrumentation.
      module Instrumentation
        EVENT = "process_action.action_controller"
        private_constant :EVENT

        private

        def process_action(*arguments)
          payload = $! ? nil : frugal_payload
          return frugal_stock_process_action(*arguments) unless payload

          notifications = ::ActiveSupport::Notifications
          notifications.instrument("start_processing.action_controller", payload)
          handle = Notifier.start(notifications.instrumenter, EVENT, payload) if notifications.notifier.listening?(EVENT)
          begin
            begin
              result = super
              payload[:response] = response
              payload[:status] = response.status
              result
            ensure
              frugal_finish(payload, $!)
            end
          ensure
            begin
              frugal_tell(payload, $!) if $! && handle
            ensure
              handle&.finish
            end
          end
        end

        # @return [Hash, nil] nil where stock is to tell the subscribers
        def frugal_payload
          return if Bypassed.instrument?

          ::ActiveSupport::ExecutionContext[:controller] = self
          { controller: self.class.name, action: action_name, request: request, params: request.filtered_parameters,
            headers: request.headers, format: request.format.ref, method: request.request_method, path: Notifier.path(request) }
        rescue OwnFailure
          nil
        end

        def frugal_finish(payload, error)
          return unless ::StandardError === error

          payload[:status] = ::ActionDispatch::ExceptionWrapper.status_code_for_exception(error.class.name)
          raise error if Unwinding.twin?(error)
        ensure
          append_info_to_payload(payload)
        end

        def frugal_tell(payload, error)
          payload[:exception] = [error.class.name, frugal_message(error)]
          payload[:exception_object] = error
          raise error if Unwinding.twin?(error)
        end

        def frugal_message(error)
          Onlookers.of_action?(self) ? error.message : HTTP::PlainMessage.of(error)
        rescue OwnFailure
          error.message
        end
      end

      # In ActionDispatch::Callbacks, which rescues for the sake of callbacks: most have none.
      module Callbacks
        def call(env)
          return frugal_stock_call(env) if $! || !__callbacks[:call].empty?

          begin
            @app.call(env)
          ensure
            raise $! if ::StandardError === $! && Unwinding.twin?($!)
          end
        end
      end

      # In Rack::TempfileReaper of Rack 3: it closes what was uploaded.
      module TempfileReaper
        def call(env)
          return frugal_stock_call(env) if $!

          env[::Rack::RACK_TEMPFILES] ||= []
          begin
            _, _, body = response = @app.call(env)
          ensure
            if $!
              env[::Rack::RACK_TEMPFILES]&.each(&:close!)
              raise $! if Unwinding.twin?($!)
            end
          end
          response[2] = ::Rack::BodyProxy.new(body) { env[::Rack::RACK_TEMPFILES]&.each(&:close!) }
          response
        end
      end
    end
  end
end
