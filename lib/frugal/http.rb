# frozen_string_literal: true

require_relative "loader"
require_relative "platform"
require_relative "http/statuses"
require_relative "http/error"

module Frugal
  # HTTP errors that cost no more than a page. Needs only Ruby.
  #
  #   require "frugal/http"
  #   Frugal.halt(404)                                         # raises Frugal::HTTPError::NotFound
  #   Frugal.halt(:too_many_requests, "Later", "retry-after" => "5")
  #   Frugal.signal(KeyError, "no such user")                  # any expected error
  #
  # Both raise a new object, because a shared object would keep the backtrace, the cause and the instance
  # variables of its first use. The object has an empty backtrace, because the cost of a real backtrace grows with
  # the depth of the stack. With FRUGAL_TRACE=1 or RACK_ENV=development both raise with the real backtrace.
  #
  # *Cost*: the same at any depth.
  module HTTP
    class << self
      # Reports whether expected errors are raised with their real backtrace. The environment is read once.
      def traces?
        known = @traces # `defined?` is wrong in other Ractors of Ruby 3.3
        return known unless known.nil?

        traces = ENV.fetch("FRUGAL_TRACE") { ENV["RACK_ENV"] == "development" ? "1" : "0" } == "1"
        Platform.main_ractor? ? @traces = traces : traces
      end

      # The backtrace of an expected error, for +raise+.
      #
      # @api private
      # @return [Array, nil] nil for the real backtrace
      def trace = traces? ? nil : HTTPError::NO_TRACE

      # @api private
      # @param error [Exception] a new object
      def raise_expected(error)
        error.set_backtrace(HTTPError::NO_TRACE) unless traces?
        raise error
      end
    end
  end

  class << self
    # Ends the request with a status, by an exception that costs the same at any depth.
    #
    # @param status [Integer, Symbol] from 400 to 599, or its name
    # @param body [String, nil] of the response; nil leaves it to the server
    # @param headers [Hash{String => String, Array<String>}]
    # @raise [HTTPError] always, of the class for this status, with the backtrace +[]+
    # @raise [ArgumentError] for a status, a body or a header that cannot be sent
    # *Cost*: 1 object for a status without body and headers
    def halt(status, body = nil, headers = nil)
      pattern = HTTPError::PATTERNS[status]
      raise pattern.dup if pattern && body.nil? && headers.nil? && !HTTP.traces?

      HTTP.raise_expected(HTTPError[status].new(status: status, body: body, headers: headers))
    end

    # Raises an expected error of any class, which costs the same at any depth.
    #
    # @param kind [Class] an exception class
    # @param message [Object, nil] as for +raise+
    # @raise [Exception] always, a new object, with the backtrace +[]+
    # @raise [TypeError] for anything but an exception class: an exception object would be shared
    # *Cost*: 1 object, if the class's +initialize+ creates no other
    def signal(kind, message = nil)
      raise kind, message, HTTP.trace if Class === kind && !message.nil? # raise checks the class itself

      unless Class === kind && kind <= Exception
        raise TypeError, "kind must be an exception class (got #{kind.inspect})"
      end

      HTTP.raise_expected(kind.exception)
    end
  end
end
