# frozen_string_literal: true

module Frugal
  module HTTP
    # What can be sent as an error's body.
    module Body
      # @return [String] the body
      # @raise [ArgumentError] where it is none
      def self.checked(body)
        String === body or raise ArgumentError, "the body is a #{body.class}; it must be a String, or nil"

        body
      end
    end
  end
end
