# frozen_string_literal: true

require_relative "../../guard"
require_relative "../../replace"

module Frugal
  module Dropin
    module Rails
      # Patches Rails::Engine: an application whose outermost middleware is the {RouteCheck} asks it before it
      # prepares the environment for Rails, because that would take as long as the check.
      module Engine
        def call(env)
          return frugal_stock_call(env) unless RouteCheck === (check = app) && (refused = check.answer(env, env_config))

          refused
        end

        class << self
          # Patches Rails::Engine, unless other code has redefined the method, or frugal's file cannot be read: then the
          # application calls the middleware, as any other.
          #
          # @return [void]
          def install
            return if @installed || !Guard.pristine?(::Rails::Engine, :call, file: "/rails/engine.rb")

            Replace.all_or_none { Replace.methods(::Rails::Engine, self) }
            @installed = true
          rescue ::SystemCallError
            nil
          end

          # @param application [Rails::Application]
          # @param check [RouteCheck]
          # @return [Boolean] whether the application itself asks this middleware
          def asks?(application, check) = @installed && application.app.equal?(check)
        end
      end
    end
  end
end
