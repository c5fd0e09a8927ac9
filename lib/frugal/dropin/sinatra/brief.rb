# frozen_string_literal: true

module Frugal
  module Dropin
    module Sinatra
      # An application in the message of a NameError, where that is logged without
      # its trace. Up to Ruby 3.2, the message holds the receiver's +inspect+: of an
      # application that is the request's whole environment, and in it the very
      # error, with the spelling help that the line is to do without.
      module Brief
        TO_S = ::Kernel.instance_method(:to_s)
        private_constant :TO_S

        # @return [String] without what it holds, while such a line is written
        def inspect
          return super unless defined?(@frugal_brief)

          TO_S.bind_call(self)
        end

        private

        def frugal_in_brief
          @frugal_brief = true
          yield
        ensure
          remove_instance_variable(:@frugal_brief)
        end
      end
    end
  end
end
