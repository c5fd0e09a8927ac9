# frozen_string_literal: true

require_relative "../../native"
require_relative "route_words"
require_relative "public_names"
require_relative "not_found_page"

module Frugal
  module Dropin
    module Rails
      # The outermost middleware: refuses a GET or HEAD of what no route, no mount and no
      # file of public/ can answer, before any other middleware is asked, with the page
      # that stock sends, but without its request id and its lines of the log.
      #
      #   config.frugal.route_check = true
      #   config.frugal.route_check = %w[/auth]     # and what a middleware answers
      #
      # What is not surely unknown goes on: a path with characters other than letters,
      # digits and <tt>-_.~/</tt>, or whose first word begins a route.
      #
      # Cost: two +stat+, of public/ and of the page; no exception.
      class RouteCheck
        PLAIN = %r{\A/(?<word>\w+)(?<rest>[\w~-]*(?:\.[\w~-]+)*)(?:/(?:[\w~-]+(?:\.[\w~-]+)*)?)*\z}
        EXTENSION = %r{\.[^/]*\z}
        # A query that asks for a format may say so in %-encodings, and one that is none is an error.
        QUERY = /\A(?!.*format)[\w.+&=-]{0,1000}\z/
        UNKNOWN = "ActionController::RoutingError"
        private_constant :PLAIN, :EXTENSION, :QUERY, :UNKNOWN

        # @param app [#call]
        # @param application [Rails::Application]
        # @param prefixes [Array<String>] what a middleware answers
        def initialize(app, application, prefixes = [])
          @app = app
          @words = RouteWords.new(application, prefixes)
          config = application.config
          @names = PublicNames.new(config.public_file_server.enabled ? application.paths["public"].first : nil)
          @page = NotFoundPage.new(::Rails.public_path.to_s) unless config.exceptions_app
        end

        def call(env)
          unknown?(env) && @page.answer(env) || @app.call(env)
        end

        private

        def unknown?(env)
          return false unless @page && %w[GET HEAD].include?(env["REQUEST_METHOD"]) && (path = env["PATH_INFO"])&.ascii_only? && (match = PLAIN.match(path))

          !@words.include?(match[:word]) && !@names.include?(match[:word] + match[:rest]) && simple?(env, path)
        end

        # The page's format is then the Accept header's alone, and it is the page that is sent:
        # where errors go on to the server, or to developers, so does this one.
        def simple?(env, path)
          show = env["action_dispatch.show_exceptions"]
          !EXTENSION.match?(path) && !env["HTTP_X_REQUESTED_WITH"] && QUERY.match?(env["QUERY_STRING"].to_s.b) &&
            env["CONTENT_TYPE"].to_s.empty? && show != :none && show != false && !env[DETAILED] &&
            ::ActionDispatch::ExceptionWrapper.rescue_responses[UNKNOWN] == :not_found
        end
      end
    end
  end
end
