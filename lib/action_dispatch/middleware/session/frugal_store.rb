# frozen_string_literal: true

require "action_dispatch/middleware/session/abstract_store"
require_relative "../../../frugal/session"

# Action Pack's own module, to which a session store is added.
module ActionDispatch
  # Rails' namespace for session stores.
  module Session
    # Rails sessions in files, in SQLite or on Redis, see Rack::Session::Frugal for the options.
    #
    #   config.session_store :frugal_store, key: "_app_session", expire_after: 1.day
    #
    # The default of `dir:` is tmp/sessions in the application. With `serializer: :marshal`, the default of `secret:` is
    # derived from secret_key_base.
    class FrugalStore < AbstractSecureStore
      include ::Frugal::Session::Middleware

      def initialize(app, options = {})
        options = options.dup
        places = ::Frugal::Session::Place::OPTIONS
        options[:dir] = ::Rails.root.join("tmp/sessions").to_s if options.values_at(*places).none?
        options[:secret] ||= derived_secret if options[:serializer] == :marshal
        super
      end

      private

      def derived_secret = ::Rails.application.key_generator.generate_key("frugal sessions", 32)

      def session_logger(req) = ::Rails.logger || super
    end
  end
end
