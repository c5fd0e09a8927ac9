# frozen_string_literal: true

require_relative "../../native"
require_relative "route_check/engine"
require_relative "route_check/first_segments"
require_relative "route_check/unchanged"
require_relative "route_check/public_names"
require_relative "route_check/not_found_page"

module Frugal
  module Dropin
    module Rails
      # The outermost middleware. It answers a GET or HEAD request with 404, before any other middleware
      # is called, if no route, no mounted application and no file of public/ can answer the path. The page is
      # the one that stock sends, but without a request id, and nothing is logged.
      #
      #   config.frugal.route_check = true
      #   config.frugal.route_check = %w[/auth]     # also pass on paths that a middleware answers
      #
      # A request is passed on unless its path is certainly unknown. It is passed on if the path has characters
      # other than letters, digits and <tt>-_.~/</tt>, or if the first segment begins a route.
      #
      # If this is the outermost middleware, the application asks it before it prepares the environment for the
      # whole stack: see {Engine}.
      #
      # *Cost*: two +stat+, of public/ and of the page; no exception.
      class RouteCheck
        # Its groups are the first segment and the word at its beginning. Numbered groups cost less than named
        # ones.
        PATH = %r{\A/((\w+)[\w~-]*(?:\.[\w~-]+)*)(?:/(?:[\w~-]+(?:\.[\w~-]+)*)?)*\z}
        EXTENSION = %r{\.[^/]*\z}
        # A query could ask for a format, also in %-encoding, and a malformed query is a different error.
        QUERY = /\A(?!.*format)[\w.+&=-]{0,1000}\z/
        ROUTING_ERROR = "ActionController::RoutingError"
        private_constant :PATH, :EXTENSION, :QUERY, :ROUTING_ERROR

        # @param app [#call]
        # @param application [Rails::Application]
        # @param prefixes [Array<String>] of paths that a middleware answers
        def initialize(app, application, prefixes = [])
          @app = app
          @application = application
          @segments = FirstSegments.new(application, prefixes)
          config = application.config
          @names = PublicNames.new(config.public_file_server.enabled ? application.paths["public"].first : nil)
          @page = NotFoundPage.new(::Rails.public_path.to_s) unless config.exceptions_app
        end

        def call(env)
          (answer(env, env) unless Engine.asks?(@application, self)) || @app.call(env)
        end

        # @param env [Hash] the Rack environment
        # @param settings [Hash] the environment, or what the application will add to it
        # @return [Array, nil] the response, if the path is unknown
        def answer(env, settings) = unknown?(env, settings) ? @page.answer(env) : nil

        private

        def unknown?(env, settings)
          verb = env["REQUEST_METHOD"]
          return false unless @page && (verb == "GET" || verb == "HEAD")
          return false unless (path = env["PATH_INFO"])&.ascii_only? && (match = PATH.match(path))

          !@segments.include?(match[2]) && !@names.include?(match[1]) && static_page?(env, path, settings)
        end

        # Whether stock would send the page by the Accept header alone. It would not if the request asks for a
        # format in another way, or if errors are raised to the server or shown to developers.
        def static_page?(env, path, settings)
          show = settings["action_dispatch.show_exceptions"]
          query = env["QUERY_STRING"].to_s
          !EXTENSION.match?(path) && !env["HTTP_X_REQUESTED_WITH"] && (query.empty? || QUERY.match?(query.b)) &&
            env["CONTENT_TYPE"].to_s.empty? && show != :none && show != false && !settings[DETAILED] &&
            ::ActionDispatch::ExceptionWrapper.rescue_responses[ROUTING_ERROR] == :not_found
        end
      end
    end
  end
end
