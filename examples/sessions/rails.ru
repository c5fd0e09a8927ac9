# frozen_string_literal: true

# The same as a Rails application in one file.
#
#   puma -C puma.rb rails.ru     # two processes; or: rackup rails.ru
require "logger"
require "action_controller/railtie"
require "frugal/rails/sessions"
require_relative "store"

# Counts the visits of each browser.
class VisitsController < ActionController::Base
  def count
    session[:visits] = session[:visits].to_i + 1
    answer "visit #{session[:visits]}"
  end

  def seen = answer("#{session[:visits].to_i} visits") # only reads, so nothing is written

  def leave
    reset_session
    answer "bye"
  end

  private

  def answer(text) = render(plain: "#{text}, process #{Process.pid}\n")
end

# Its session store is chosen in store.rb.
class Visits < Rails::Application # rubocop:disable Style/OneClassPerFile -- an application in one file
  config.root = __dir__
  config.load_defaults 7.2
  config.eager_load = true
  config.secret_key_base = ENV.fetch("SECRET_KEY_BASE") { SecureRandom.hex(64) }
  config.logger = Logger.new($stderr, level: :warn)
  config.session_store :frugal_store, key: "_visits", expire_after: 1.day, **SESSIONS
end

Visits.initialize!
Visits.routes.draw do
  root "visits#count"
  get "seen", to: "visits#seen"
  get "leave", to: "visits#leave"
end

run Visits
