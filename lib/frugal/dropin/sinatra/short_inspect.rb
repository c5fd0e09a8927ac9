# frozen_string_literal: true

module Frugal
  module Dropin
    module Sinatra
      # Shortens an application's +inspect+ while a NameError is logged without its backtrace. Up to Ruby 3.2,
      # the error's message contains the +inspect+ of its receiver. For an application that includes the request's
      # environment and, in it, the error itself with its spelling suggestions.
      module ShortInspect
        TO_S = ::Kernel.instance_method(:to_s)
        private_constant :TO_S

        # @return [String] without the instance variables, while such an error is logged
        def inspect
          return super unless defined?(@frugal_short_inspect)

          TO_S.bind_call(self)
        end

        private

        def frugal_with_short_inspect
          @frugal_short_inspect = true
          yield
        ensure
          remove_instance_variable(:@frugal_short_inspect)
        end
      end
    end
  end
end
