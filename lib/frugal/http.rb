# frozen_string_literal: true

require_relative "published"
require_relative "main_ractor"
require_relative "http/statuses"
require_relative "http/error"

module Frugal
  # Errors of an HTTP server that cost no more than a page. Nothing but Ruby is needed.
  #
  #   require "frugal/http"
  #   Frugal.halt(404)                                         # raises Frugal::HTTPError::NotFound
  #   Frugal.halt(:too_many_requests, "Later", "retry-after" => "5")
  #   Frugal.signal(KeyError, "no such user")                  # any error that is expected
  #
  # Both raise a fresh object, since one that is shared carries the trace, the cause
  # and the marks of its first time along, and both give it an empty backtrace, which
  # is what makes an exception cost more the deeper it is raised. Where somebody
  # looks for it, with FRUGAL_TRACE=1 or RACK_ENV=development, they raise with the real one.
  #
  # *Cost*: the same at any depth.
  module HTTP
    class << self
      # Whether expected errors are raised with their backtrace. The environment is read once.
      def traces? = trace.nil?

      # What +raise+ is to be given as the backtrace of an expected error.
      #
      # @api private
      # @return [Array, nil] nil: the real one
      def trace
        return @trace if defined?(@trace)

        traces = ENV.fetch("FRUGAL_TRACE") { ENV["RACK_ENV"] == "development" ? "1" : "0" } == "1"
        trace = traces ? nil : HTTPError::NO_TRACE
        MainRactor.here? ? @trace = trace : trace
      end

      # @api private
      # @param error [Exception] a fresh one
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
    # @param body [String, nil] what the client gets; nil leaves it to the server
    # @param headers [Hash{String => String, Array<String>}]
    # @raise [HTTPError] always: of the class of this status, with the backtrace +[]+
    # @raise [ArgumentError] for a status, a body or a header that cannot be sent
    # *Cost*: 1 object where the status says it all
    def halt(status, body = nil, headers = nil)
      pattern = HTTPError::PATTERNS[status]
      raise pattern.dup if pattern && body.nil? && headers.nil? && !HTTP.traces?

      HTTP.raise_expected(HTTPError[status].new(status: status, body: body, headers: headers))
    end

    # Raises any error that is expected, so that it costs the same at any depth.
    #
    # @param kind [Class] of exceptions
    # @param message [Object, nil] what +raise+ would take
    # @raise [Exception] always: a fresh one, with the backtrace +[]+
    # @raise [TypeError] for what is no class of exceptions: an object would be shared
    # *Cost*: 1 object, for a class whose +initialize+ makes no other
    def signal(kind, message = nil)
      raise kind, message, HTTP.trace if Class === kind && !message.nil? # which says itself that it takes no String

      Class === kind && kind <= Exception or raise TypeError, "#{kind.inspect} is no class of exceptions"
      HTTP.raise_expected(kind.exception)
    end
  end
end
