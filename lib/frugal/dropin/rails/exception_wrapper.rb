# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # Patches ActionDispatch::ExceptionWrapper: it makes no backtrace if the log does not show one.
      module ExceptionWrapper
        # @return [Boolean, nil] whether the log shows the backtrace; nil: not decided yet
        attr_accessor :frugal_log_trace

        # Decides whether the log shows the backtrace, if that is not decided yet.
        #
        # @return [Boolean]
        def frugal_log_trace?
          @frugal_log_trace = Rails.log_trace?(@exception, frugal_site) if @frugal_log_trace.nil?
          @frugal_log_trace
        end

        # @return [Object] the raise site of the wrapped exception
        def frugal_site = @frugal_site ||= Rails.sites.site(@exception)

        # From now on this wrapper has, for the log, only the first line of the backtrace, and the
        # message without spelling suggestions.
        #
        # @return [void]
        def frugal_shorten
          @frugal_short = true
          @wrapped_causes.each(&:frugal_shorten)
        end

        def exception_trace
          return [*frugal_line] if @frugal_short

          trace = frugal_stock_exception_trace
          frugal_keep(trace.first) if @frugal_log_trace
          trace
        end

        private

        def frugal_line = OwnFailure.or_else(nil) { Rails.sites.line(frugal_site) }

        def frugal_keep(line)
          OwnFailure.or_else(nil) { Rails.sites.keep(frugal_site, line) if ::String === line }
        end

        # The methods that only Rails 7.1 and later have.
        module Rails71
          def message = @frugal_short ? HTTP::UndecoratedMessage.of(@exception) : frugal_stock_message

          private

          # Stock calls this for each new wrapper, although few wrappers need a backtrace: it makes an object
          # for each frame and looks at each template that was ever rendered. Here the backtrace is made when
          # it is first read. If a library has replaced the method that lists the templates, it is made when
          # stock makes it.
          def build_backtrace
            or_stock { Rails.lists_templates? }
            nil
          end

          def backtrace = @backtrace ||= frugal_stock_build_backtrace
        end
      end
    end
  end
end
