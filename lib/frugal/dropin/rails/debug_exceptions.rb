# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # Patches ActionDispatch::DebugExceptions: it logs an exception without its backtrace if one
      # of the same raise site has been logged recently. {ShowExceptions} calls
      # `frugal_debug` in place of `call` if no other middleware is between the two.
      module DebugExceptions
        # @return [#call] the application that it wraps
        def frugal_app = @app

        # Does what `call` does with an exception, but does not raise it again.
        #
        # @return [Array, nil] the page for developers, if that is to be shown
        def frugal_debug(request, exception, wrapper)
          invoke_interceptors(request, exception, wrapper)
          return unless wrapper.show?(request)
          if Rails.detailed?(request) || Overridden.render_exception?
            return render_exception(request, exception, wrapper)
          end

          log_error(request, wrapper)
          raise exception if Reraise.another?(exception)
        end

        private

        def log_error(request, wrapper)
          frugal_decide(request, wrapper)
          frugal_stock_log_error(request, wrapper)
        end

        # Decides whether the log shows the backtrace. It does if the decision itself fails.
        def frugal_decide(request, wrapper)
          OwnFailure.or_else(nil) do
            next if Rails.detailed?(request) || (!log_rescued_responses?(request) && wrapper.rescue_response?)

            wrapper.frugal_shorten unless wrapper.frugal_log_trace?
          end
        end

        # The same for Rails 7.0, which makes a wrapper for each question about an exception, with
        # a backtrace of strings.
        module Rails70
          # @return [#call] the application that it wraps
          def frugal_app = @app

          # The wrapper is made exactly when stock makes one, because a wrapper of a SyntaxError changes
          # its backtrace.
          #
          # @return [Array, nil] the page for developers, if that is to be shown
          def frugal_debug(request, exception, log_trace)
            invoke_interceptors(request, exception)
            return unless request.show_exceptions?
            return render_exception(request, exception) if Rails.detailed?(request) || Overridden.render_exception?

            cleaner = request.get_header("action_dispatch.backtrace_cleaner")
            wrapper = ::ActionDispatch::ExceptionWrapper.new(cleaner, exception)
            wrapper.frugal_log_trace = log_trace
            log_error(request, wrapper)
            raise exception if Reraise.another?(exception)
          end

          private

          def log_error(request, wrapper)
            if frugal_log_as_stock?(request, wrapper)
              frugal_keep(wrapper) if wrapper.frugal_log_trace
              return frugal_stock_log_error(request, wrapper)
            end
            return unless (logger = logger(request))

            error = wrapper.exception
            lines = ["  ", "#{error.class} (#{HTTP::UndecoratedMessage.of(error)}):"]
            lines.concat(error.annotated_source_code) if error.respond_to?(:annotated_source_code)
            log_array(logger, lines.push("  ", *frugal_line(wrapper)))
          end

          def frugal_line(wrapper) = OwnFailure.or_else(nil) { Rails.sites.line(wrapper.frugal_site) }

          def frugal_log_as_stock?(request, wrapper)
            OwnFailure.or_else(true) do
              Rails.detailed?(request) || (!log_rescued_responses?(request) && wrapper.rescue_response?) ||
                wrapper.frugal_log_trace?
            end
          end

          # Keeps the line with which the backtrace begins in stock's log.
          def frugal_keep(wrapper)
            OwnFailure.or_else(nil) do
              Rails.sites.keep(wrapper.frugal_site, [*wrapper.application_trace, *wrapper.framework_trace].first)
            end
          end
        end
      end
    end
  end
end
