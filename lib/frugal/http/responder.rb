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
      # What expects nothing.
      NONE = Module.new.freeze
      # Where a server writes down that the application took the connection for itself.
      HIJACKED = "rack.hijack_io"
      private_constant :NONE, :HIJACKED

      # @param app [#call]
      # @param rescue_responses [Hash{String, Symbol, Module => Integer, Symbol, nil}] the status for an error of this
      #   class or of one below it; nil lets a subclass of such a class travel
      # @raise [ArgumentError] for a status that is not from 400 to 599
      def initialize(app, rescue_responses: {})
        @app = app
        @expected = HTTP::Expected.new(rescue_responses)
      end

      # @param env [Hash] only read
      # @return [Array(Integer, Hash, #each)] the application's response, or the error's
      def call(env)
        @app.call(env)
      rescue expected(env) => e
        return HTTP::ErrorPage.response(env, e.status, e.body, e.headers) if HTTPError === e

        HTTP::ErrorPage.response(env, @expected.status(e))
      end

      private

      # Nobody can answer on a connection that is the application's own.
      def expected(env) = env[HIJACKED] ? NONE : @expected
    end
  end
end
