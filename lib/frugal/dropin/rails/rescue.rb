# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # Patches ActionController::Rescue: `rescue_from` handles an exception in `ensure` (see {Reraise}).
      # It calls `super`, not stock's method: the name frugal_stock_process_action would find the
      # one that {Instrumentation} keeps, which is further out.
      module Rescue
        private

        def process_action(*)
          if $!
            begin
              super
            rescue ::Exception => e # rubocop:disable Lint/RescueException -- as stock does
              frugal_rescue(e) || raise
            end
          else
            begin
              super
            ensure
              if (error = $!)
                handled = frugal_rescue(error)
                return handled if handled # rubocop:disable Lint/EnsureReturn -- it ends the exception, as stock's rescue

                raise error if Reraise.another?(error)
              end
            end
          end
        end

        def frugal_rescue(error)
          request.env[DETAILED] ||= show_detailed_exceptions?
          rescue_with_handler(error)
        end
      end
    end
  end
end
