# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # In ActionDispatch::DebugExceptions, of which ShowExceptions is asked instead
      # where nothing stands between the two.
      module DebugExceptions
        # @return [#call] what it wraps
        def frugal_app = @app

        # What its +call+ does with an exception, but for raising it again.
        #
        # @return [Array, nil] the page for developers, if that is what is to be shown
        def frugal_debug(request, exception, wrapper)
          invoke_interceptors(request, exception, wrapper)
          return unless wrapper.show?(request)
          return render_exception(request, exception, wrapper) if Rails.local?(request) || Bypassed.render?

          log_error(request, wrapper)
          raise exception if Unwinding.twin?(exception)
        end

        private

        def log_error(request, wrapper)
          frugal_decide(request, wrapper)
          frugal_stock_log_error(request, wrapper)
        end

        # Whether the log is to have the trace. Where frugal fails, it has.
        def frugal_decide(request, wrapper)
          return if Rails.local?(request) || (!log_rescued_responses?(request) && wrapper.rescue_response?)

          wrapper.frugal_whole = Rails.whole?(wrapper.exception) if wrapper.frugal_whole.nil?
          wrapper.frugal_shorten unless wrapper.frugal_whole
        rescue OwnFailure
          nil
        end
      end

      # In ActionDispatch::ShowExceptions: it rescues once what stock rescues, raises
      # and rescues again, and what no route answers need not be raised.
      module ShowExceptions
        def call(env)
          debug = @app
          return frugal_stock_call(env) unless frugal_next_to?(debug)

          begin
            _, headers, body = response = debug.frugal_app.call(env)
            return response unless headers[X_CASCADE] == "pass"

            body.close if body.respond_to?(:close)
            unknown = ::ActionController::RoutingError.new("No route matches [#{env["REQUEST_METHOD"]}] #{env["PATH_INFO"].inspect}")
            raise unknown if (whole = frugal_whole(unknown)) || frugal_seen?(env)
          rescue ::Exception => error # rubocop:disable Lint/RescueException (as stock does)
            return frugal_show_or_stock(env, debug, error, whole)
          end
          frugal_show_or_stock(env, debug, unknown, false)
        end

        # @return [#call] what answers instead
        def frugal_exceptions_app = @exceptions_app

        private

        # Whether nothing stands between this and DebugExceptions.
        def frugal_next_to?(debug)
          debug.instance_of?(::ActionDispatch::DebugExceptions) && !Bypassed.call?
        rescue OwnFailure
          false
        end

        # Where frugal fails, the error is raised, and has its trace.
        def frugal_whole(unknown)
          Rails.whole?(unknown)
        rescue OwnFailure
          true
        end

        def frugal_seen?(env)
          Onlookers.of_route?(self, env)
        rescue OwnFailure
          true
        end

        def frugal_show_or_stock(env, debug, error, whole)
          frugal_show(env, debug, error, whole)
        rescue OwnFailure
          frugal_show_as_stock(env, debug, error)
        end

        # Stock's way with an application that has raised the error.
        def frugal_show_as_stock(env, debug, error)
          raises = debug.dup
          raises.instance_variable_set(:@app, ->(_) { raise error })
          again = dup
          again.instance_variable_set(:@app, raises)
          again.__send__(:frugal_stock_call, env)
        end
      end

      # In ActionDispatch::ShowExceptions, from Rails 7.1 on: what it does with an exception.
      module Showing
        private

        # @param whole [Boolean, nil] whether the log is to have the trace, if that is known
        def frugal_show(env, debug, error, whole)
          request = ::ActionDispatch::Request.new(env)
          cleaner = request.get_header("action_dispatch.backtrace_cleaner")
          begin
            # Wrapping fails for a circle of causes, as it does in stock's DebugExceptions.
            wrapper = ::ActionDispatch::ExceptionWrapper.new(cleaner, error)
            wrapper.frugal_whole = whole
            page = debug.frugal_debug(request, error, wrapper)
            return page if page
          rescue OwnFailure
            raise
          rescue ::Exception => error # rubocop:disable Lint/RescueException -- stock answers with this one as well
            wrapper = ::ActionDispatch::ExceptionWrapper.new(cleaner, error)
          end
          request.set_header("action_dispatch.exception", wrapper.unwrapped_exception)
          request.set_header("action_dispatch.report_exception", !wrapper.rescue_response?)
          raise error unless wrapper.show?(request)

          render_exception(request.dup, wrapper)
        end
      end

      # In ActionDispatch::PublicExceptions: the page is read by one question, where stock asks first whether it is there.
      module PublicExceptions
        private

        def render_html(status)
          internal = ::Encoding.default_internal
          return frugal_stock_render_html(status) unless internal.nil? || internal == ::Encoding.default_external

          page = begin
            engine = Native.engine
            engine.binread("#{public_path}/#{status}.#{::I18n.locale}.html") || engine.binread("#{public_path}/#{status}.html")
          rescue ::SystemCallError, OwnFailure
            nil # stock has the words for it
          end
          return frugal_stock_render_html(status) unless page

          render_format(status, "text/html", page.force_encoding(::Encoding.default_external))
        end
      end
    end
  end
end
