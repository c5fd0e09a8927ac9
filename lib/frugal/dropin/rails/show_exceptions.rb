# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # Patches ActionDispatch::ShowExceptions: it rescues once, where stock's two middlewares rescue
      # and raise again. It does not raise the exception of an unknown route if nobody would see it.
      module ShowExceptions
        def call(env)
          debug = @app
          or_stock { frugal_next_to?(debug) }
          begin
            _, headers, body = response = debug.frugal_app.call(env)
            return response unless headers[X_CASCADE] == "pass"

            body.close if body.respond_to?(:close)
            message = "No route matches [#{env["REQUEST_METHOD"]}] #{env["PATH_INFO"].inspect}"
            unknown = ::ActionController::RoutingError.new(message)
            raise unknown if (log_trace = frugal_log_trace?(unknown)) || frugal_observed?(env)
          rescue ::Exception => e # rubocop:disable Lint/RescueException -- as stock does
            return frugal_show_or_stock(env, debug, e, log_trace)
          end
          frugal_show_or_stock(env, debug, unknown, false)
        end

        # @return [#call] the application that makes the error page
        def frugal_exceptions_app = @exceptions_app

        private

        # Whether no other middleware is between this one and DebugExceptions.
        def frugal_next_to?(debug)
          debug.instance_of?(::ActionDispatch::DebugExceptions) && !Overridden.debug_exceptions_call?
        end

        # If frugal fails here, the exception is raised and logged with its backtrace.
        def frugal_log_trace?(unknown)
          OwnFailure.or_else(true) { Rails.log_trace?(unknown, Rails.sites.site(unknown)) }
        end

        def frugal_observed?(env) = OwnFailure.or_else(true) { Observers.of_unknown_route?(self, env) }

        # Rescues here, because stock's methods have to continue with the exception that was raised already.
        def frugal_show_or_stock(env, debug, error, log_trace)
          frugal_show(env, debug, error, log_trace)
        rescue OwnFailure
          frugal_show_as_stock(env, debug, error)
        end

        # Calls stock's methods, with an application that raises the exception.
        def frugal_show_as_stock(env, debug, error)
          raises = debug.dup
          raises.instance_variable_set(:@app, ->(_) { raise error })
          again = dup
          again.instance_variable_set(:@app, raises)
          again.__send__(:frugal_stock_call, env)
        end

        # Answers an exception, from Rails 7.1 on.
        module Rails71
          private

          # @param log_trace [Boolean, nil] whether the log shows the backtrace; nil: not decided yet
          def frugal_show(env, debug, error, log_trace)
            request = ::ActionDispatch::Request.new(env)
            cleaner = request.get_header("action_dispatch.backtrace_cleaner")
            begin
              # Wrapping fails for a circle of causes, as it does in stock's DebugExceptions.
              wrapper = ::ActionDispatch::ExceptionWrapper.new(cleaner, error)
              wrapper.frugal_log_trace = log_trace
              page = debug.frugal_debug(request, error, wrapper)
              return page if page
            rescue OwnFailure
              raise # to frugal_show_or_stock: the next clause would answer it as an error of the program
            rescue ::Exception => e # rubocop:disable Lint/RescueException -- stock answers this one, too
              error = e
              wrapper = ::ActionDispatch::ExceptionWrapper.new(cleaner, error)
            end
            request.set_header("action_dispatch.exception", wrapper.unwrapped_exception)
            request.set_header("action_dispatch.report_exception", !wrapper.rescue_response?)
            raise error unless wrapper.show?(request)

            render_exception(request.dup, wrapper)
          end
        end

        # Answers an exception under Rails 7.0.
        module Rails70
          private

          # @param log_trace [Boolean, nil] whether the log shows the backtrace; nil: not decided yet
          def frugal_show(env, debug, error, log_trace)
            request = ::ActionDispatch::Request.new(env)
            begin
              page = debug.frugal_debug(request, error, log_trace)
              return page if page
            rescue OwnFailure
              raise # to frugal_show_or_stock: the next clause would answer it as an error of the program
            rescue ::Exception => e # rubocop:disable Lint/RescueException -- stock answers this one, too
              error = e
            end
            raise error unless request.show_exceptions?

            render_exception(request, error)
          end
        end
      end
    end
  end
end
