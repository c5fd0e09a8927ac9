# frozen_string_literal: true

require_relative "error"
require_relative "error_page"

module Frugal
  module HTTP
    # The answer to Frugal.halt within a framework that has words of its own.
    module Halted
      class << self
        # @param env [Hash] a Rack environment
        # @param error [HTTPError]
        # @param typed [Boolean] whether the application has already said what its body is
        # @param filled [Boolean] whether a block of the framework's is to give a body where there is none
        # @return [Array(Integer, Hash, Array<String>)] a Rack response; without a body where a block gives it
        # *Cost*: that of {ErrorPage.response}
        def response(env, error, typed:, filled:)
          filled &&= error.body.nil?
          status, headers, body = ErrorPage.response(env, error.status, filled ? "" : error.body, error.headers)
          headers = headers.reject { |name, _| type?(name) } if (filled || (typed && error.body)) && !typed?(error.headers)
          return [status, headers, body] unless filled

          [status, headers.reject { |name, _| name.casecmp?("content-length") }, []]
        end

        # A class of somebody's own may have any status: where that is none of an error, it is no answer.
        #
        # @param error [HTTPError]
        def answer?(error) = Integer === (status = error.status) && Statuses::RANGE.cover?(status)

        # @param headers [Hash, #any?]
        def typed?(headers) = headers.any? { |name, _| type?(name) }

        private

        def type?(name) = name.casecmp?("content-type")
      end
    end
  end
end
