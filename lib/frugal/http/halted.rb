# frozen_string_literal: true

require_relative "error"
require_relative "error_page"

module Frugal
  module HTTP
    # Creates the response for Frugal.halt inside a framework that can set the content type and the body itself.
    module Halted
      class << self
        # @param env [Hash] a Rack environment
        # @param error [HTTPError]
        # @param typed [Boolean] whether the application has already set a content type
        # @param handler [Boolean] whether the framework has a handler for this status, which creates a missing body
        # @return [Array(Integer, Hash, Array<String>)] a Rack response; without a body if the handler creates it
        # *Cost*: as {ErrorPage.response}
        def response(env, error, typed:, handler:)
          handler &&= error.body.nil?
          status, headers, body = ErrorPage.response(env, error.status, handler ? "" : error.body, error.headers)
          if (handler || (typed && error.body)) && !typed?(error.headers)
            headers = headers.reject { |name, _| type?(name) }
          end
          return [status, headers, body] unless handler

          [status, headers.reject { |name, _| name.casecmp?("content-length") }, []]
        end

        # Reports whether the error can be sent as a response: a subclass of HTTPError may have any status.
        #
        # @param error [HTTPError]
        def answer?(error) = Integer === (status = error.status) && Statuses::RANGE.cover?(status)

        # Reports whether the headers have a content type.
        #
        # @param headers [Hash, #any?]
        def typed?(headers) = headers.any? { |name, _| type?(name) }

        private

        def type?(name) = name.casecmp?("content-type")
      end
    end
  end
end
