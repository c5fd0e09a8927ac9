# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # In ActionDispatch::ExceptionWrapper: no trace for a log that leaves it out.
      module ExceptionWrapper
        # @return [Boolean, nil] whether the log is to have the trace; nil: not decided
        attr_accessor :frugal_whole

        # Makes what the log asks for short: of the trace the first line, and a message without spelling help.
        #
        # @return [void]
        def frugal_shorten
          @frugal_short = true
          @wrapped_causes.each(&:frugal_shorten)
        end

        def exception_trace
          return [*frugal_line] if @frugal_short

          trace = frugal_stock_exception_trace
          frugal_keep(trace.first) if @frugal_whole
          trace
        end

        private

        def frugal_line
          Rails.sites.line(@exception)
        rescue OwnFailure
          nil
        end

        def frugal_keep(line)
          Rails.sites.keep(@exception, line) if ::String === line
        rescue OwnFailure
          nil
        end
      end

      # In ActionDispatch::ExceptionWrapper, from Rails 7.1 on.
      module LazyBacktrace
        def message = @frugal_short ? HTTP::PlainMessage.of(@exception) : frugal_stock_message

        private

        # Called while it is made, though few ask for it: each frame would become an object, and each template that was ever rendered be looked at.
        # Templates that somebody else lists are looked at when stock looks at them.
        def build_backtrace
          own = begin
            Rails.own_templates?
          rescue OwnFailure
            false
          end
          own ? nil : frugal_stock_build_backtrace
        end

        def backtrace = @backtrace ||= frugal_stock_build_backtrace
      end
    end
  end
end
