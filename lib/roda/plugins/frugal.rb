# frozen_string_literal: true

require_relative "../../frugal/http"
require_relative "../../frugal/http/halted"

# Roda's own class, to which a plugin is added.
class Roda
  # Roda's namespace for plugins.
  module RodaPlugins
    # Answers Frugal.halt in a Roda application as Roda answers +r.halt+. The cost does
    # not depend on the depth of the stack:
    #
    #   class App < Roda
    #     plugin :frugal
    #
    #     route do |r|
    #       r.is("users", Integer) { |id| Users[id] or Frugal.halt(404) }
    #     end
    #   end
    #
    # After hooks run, and the block of +status_handler+ or +not_found+ creates the body if
    # there is none. An +error_handler+ is not called. Works in before hooks, too, if this
    # plugin is loaded after the plugin for hooks.
    #
    # *Cost*: one method call and no object for a request that raises nothing.
    module Frugal
      # Included in the application's class.
      module InstanceMethods
        # @private
        def _roda_run_main_route(request)
          super
        rescue ::Frugal::HTTPError => e
          raise unless ::Frugal::HTTP::Halted.answer?(e)

          throw :halt, frugal_answer(e)
        end

        private

        def frugal_answer(error)
          response = @_response
          halted = ::Frugal::HTTP::Halted
          handler = frugal_handler?(error.status)
          status, headers, body = halted.response(env, error, typed: halted.typed?(response.headers), handler: handler)
          response.status = status
          headers.each { |name, value| response[name] = value }
          response.finish_with_body(body)
        end

        def frugal_handler?(status)
          self.class.respond_to?(:status_handlers) && self.class.status_handlers&.key?(status)
        end
      end
    end

    register_plugin(:frugal, Frugal)
  end
end
