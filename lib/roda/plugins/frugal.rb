# frozen_string_literal: true

require_relative "../../frugal/http"
require_relative "../../frugal/http/halted"

class Roda
  module RodaPlugins
    # Answers Frugal.halt in a Roda application as Roda answers +r.halt+, at the
    # same cost however deep it is raised:
    #
    #   class App < Roda
    #     plugin :frugal
    #
    #     route do |r|
    #       r.is("users", Integer) { |id| Users[id] or Frugal.halt(404) }
    #     end
    #   end
    #
    # After hooks run, and where there is no body, the block of +status_handler+ or
    # +not_found+ has the last word. An +error_handler+ does not see what is no
    # error. In before hooks too where this plugin is loaded after them.
    #
    # *Cost* of a request that raises nothing: one method call, no object.
    module Frugal
      # In the application's class.
      module InstanceMethods
        def _roda_run_main_route(request)
          super
        rescue ::Frugal::HTTPError => e
          raise unless ::Frugal::HTTP::Halted.answer?(e)

          throw :halt, frugal_answer(e)
        end

        private

        def frugal_answer(error)
          answer = @_response
          status, headers, body = ::Frugal::HTTP::Halted.response(env, error, typed: ::Frugal::HTTP::Halted.typed?(answer.headers), filled: frugal_handler?(error.status))
          answer.status = status
          headers.each { |name, value| answer[name] = value }
          answer.finish_with_body(body)
        end

        def frugal_handler?(status)
          self.class.respond_to?(:status_handlers) && self.class.status_handlers&.key?(status)
        end
      end
    end

    register_plugin(:frugal, Frugal)
  end
end
