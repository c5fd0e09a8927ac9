# frozen_string_literal: true

module Frugal
  module HTTP
    # Checks the body of an error response.
    module Body
      # @return [String] the body
      # @raise [ArgumentError] for anything but a String
      def self.checked(body)
        raise ArgumentError, "body must be a String or nil (got a #{body.class})" unless String === body

        body
      end
    end
  end
end
