# frozen_string_literal: true

# The application of rack.ru with Rails in production.
require "logger"
require "action_controller/railtie"
require "frugal/rails/sessions"
require_relative "../contents"

module Frugal
  # What the benchmark adds.
  module SessionsBench
    # The actions.
    class VisitsController < ActionController::Base
      def unchanged = answer

      def changed
        session["n"] += 1
        answer
      end

      def start
        Contents.session(0, Contents::LARGE).each { |key, value| session[key] = value }
        answer
      end

      private

      def answer = render(plain: "user #{session["user_id"]}, #{session["n"]}\n")
    end

    # Its session store is that of SESSIONS_BENCH.
    class Application < ::Rails::Application
      config.root = ENV.fetch("SESSIONS_BENCH_ROOT")
      config.load_defaults ::Rails::VERSION::STRING.to_f
      config.eager_load = true
      config.secret_key_base = "s" * 64
      config.logger = Logger.new(nil)
      config.action_dispatch.cookies_serializer = :json
      kind, place = ENV.values_at("SESSIONS_BENCH", "SESSIONS_BENCH_PLACE")
      case kind
      when "pstore"
        require_relative "../pstore_sessions"
        store = Class.new(ActionDispatch::Session::AbstractSecureStore) { include PStoreSessions }
        config.session_store store, key: "rack.session", dir: place
      when "cookies" then config.session_store :cookie_store, key: "rack.session"
      else config.session_store :frugal_store, key: "rack.session", (kind == "files" ? :dir : :redis) => place
      end
    end
  end
end

application = Frugal::SessionsBench::Application
application.initialize!
application.routes.draw do
  %w[unchanged changed start].each { |action| get action, to: "frugal/sessions_bench/visits##{action}" }
end

run application
