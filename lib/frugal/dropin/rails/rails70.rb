# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # What Rails 7.0 does otherwise: a wrapper for each question, traces that are
      # strings, notifications without handles.
      module Rails70
        # In ActionDispatch::DebugExceptions.
        module DebugExceptions
          def frugal_app = @app

          # A wrapper is made when stock makes it: one of a SyntaxError changes its trace.
          def frugal_debug(request, exception, whole)
            invoke_interceptors(request, exception)
            return unless request.show_exceptions?
            return render_exception(request, exception) if Rails.local?(request) || Bypassed.render?

            wrapper = ::ActionDispatch::ExceptionWrapper.new(request.get_header("action_dispatch.backtrace_cleaner"), exception)
            wrapper.frugal_whole = whole
            log_error(request, wrapper)
            raise exception if Unwinding.twin?(exception)
          end

          private

          def log_error(request, wrapper)
            if frugal_log_as_stock?(request, wrapper)
              frugal_keep(wrapper) if wrapper.frugal_whole
              return frugal_stock_log_error(request, wrapper)
            end
            return unless (logger = logger(request))

            error = wrapper.exception
            lines = ["  ", "#{error.class} (#{HTTP::PlainMessage.of(error)}):"]
            lines.concat(error.annotated_source_code) if error.respond_to?(:annotated_source_code)
            log_array(logger, lines.push("  ", *frugal_line(error)))
          end

          def frugal_line(error)
            Rails.sites.line(error)
          rescue OwnFailure
            nil
          end

          def frugal_log_as_stock?(request, wrapper)
            return true if Rails.local?(request) || (!log_rescued_responses?(request) && wrapper.rescue_response?)

            wrapper.frugal_whole = Rails.whole?(wrapper.exception) if wrapper.frugal_whole.nil?
            wrapper.frugal_whole
          rescue OwnFailure
            true
          end

          # As the log of stock begins the trace.
          def frugal_keep(wrapper)
            Rails.sites.keep(wrapper.exception, [*wrapper.application_trace, *wrapper.framework_trace].first)
          rescue OwnFailure
            nil
          end
        end

        # In ActionDispatch::ShowExceptions.
        module Showing
          private

          def frugal_show(env, debug, error, whole)
            request = ::ActionDispatch::Request.new(env)
            begin
              page = debug.frugal_debug(request, error, whole)
              return page if page
            rescue OwnFailure
              raise
            rescue ::Exception => error # rubocop:disable Lint/RescueException (of the log, say, and as good as the first)
            end
            raise error unless request.show_exceptions?

            render_exception(request, error)
          end
        end
      end
    end
  end
end
