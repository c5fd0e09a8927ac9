# frozen_string_literal: true

require_relative "../http"
require_relative "error_page"
require_relative "expected"

module Frugal
  # Middleware for Rack. It does not need Rack itself.
  module Rack
    # A middleware that answers expected errors at no more cost than a page. Use it last, directly above the
    # application, so all other middleware gets an ordinary response:
    #
    #   require "frugal/rack"
    #
    #   use Rack::ETag
    #   use Frugal::Rack::Responder, rescue_responses: { "KeyError" => 404, "Errno::EACCES" => :forbidden }
    #   run App
    #
    # The message and the backtrace of an error are neither read nor sent. An unexpected error
    # is not rescued.
    #
    # *Cost*: no object and one method call for a request that raises nothing.
    class Responder
      # The key that a server sets when the application has taken over the connection. Then no middleware may write to
      # the connection.
      HIJACKED = "rack.hijack_io"
      private_constant :HIJACKED

      # @param app [#call]
      # @param rescue_responses [Hash{String, Symbol, Module => Integer, Symbol, nil}] the status for errors of this
      #   class and its subclasses; nil for a subclass that is not to be rescued. SystemExit, SignalException and
      #   NoMemoryError, which end a process, are rescued only if they are named themselves
      # @raise [ArgumentError] for a status outside 400 to 599
      def initialize(app, rescue_responses: {})
        @app = app
        @expected = HTTP::Expected.new(rescue_responses)
      end

      # @param env [Hash] not changed
      # @return [Array(Integer, Hash, #each)] the application's response, or the error's
      def call(env)
        @app.call(env)
      rescue HTTPError => e
        status = e.status # a subclass may return anything
        raise unless Integer === status && status >= 400 && status <= 599 && !env[HIJACKED]

        HTTP::ErrorPage.response(env, status, e.body, e.headers)
      rescue @expected => e
        raise if env[HIJACKED]

        HTTP::ErrorPage.response(env, @expected.status(e))
      end
    end
  end
end
