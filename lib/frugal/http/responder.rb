# frozen_string_literal: true

require_relative "../http"
require_relative "error_page"
require_relative "expected"

module Frugal
  # What is for Rack, which nothing in here needs to be loaded.
  module Rack
    # A middleware that answers errors which are expected, as cheaply as a page. It
    # belongs right above the application, so that all others see a plain response:
    #
    #   require "frugal/rack"
    #
    #   use Rack::ETag
    #   use Frugal::Rack::Responder, rescue_responses: { "KeyError" => 404, "Errno::EACCES" => :forbidden }
    #   run App
    #
    # The message and the backtrace of an error are neither read nor sent. What is not
    # expected is not rescued: it travels on as if nothing were here.
    #
    # *Cost* of a request that raises nothing: no object, one method call.
    class Responder
      # Where a server writes down that the application took the connection for itself: nobody else can answer on it.
      HIJACKED = "rack.hijack_io"
      private_constant :HIJACKED

      # @param app [#call]
      # @param rescue_responses [Hash{String, Symbol, Module => Integer, Symbol, nil}] the status for an error of this
      #   class or of one below it; nil lets a subclass of such a class travel. SystemExit, SignalException and
      #   NoMemoryError, which end a process, travel unless they are named themselves
      # @raise [ArgumentError] for a status that is not from 400 to 599
      def initialize(app, rescue_responses: {})
        @app = app
        @expected = HTTP::Expected.new(rescue_responses)
      end

      # @param env [Hash] only read
      # @return [Array(Integer, Hash, #each)] the application's response, or the error's
      def call(env)
        @app.call(env)
      rescue HTTPError => e
        status = e.status # a class of somebody's own may have any
        raise unless Integer === status && status >= 400 && status <= 599 && !env[HIJACKED]

        HTTP::ErrorPage.response(env, status, e.body, e.headers)
      rescue @expected => e
        raise if env[HIJACKED]

        HTTP::ErrorPage.response(env, @expected.status(e))
      end
    end
  end
end
