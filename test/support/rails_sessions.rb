# frozen_string_literal: true

# A small Rails application whose sessions are kept as the environment says: SESSION_STORE=frugal_store or cache_store, in the
# folder SESSION_DIR. Required by a config.ru, or by test/integration/session_rails_test.rb in a process of its own.
require "logger"
require "active_support"
require "rails"
require "action_controller/railtie"
require "frugal/rails/sessions"

# The actions read and change the session as applications do.
class VisitsController < ActionController::Base
  protect_from_forgery with: :null_session

  def count
    session[:n] = session[:n].to_i + 1
    render plain: "#{session[:user]} #{session[:n]} #{Process.pid}"
  end

  def read = render(plain: session.to_hash.except("session_id", "_csrf_token").to_json)
  def nothing = render(plain: "nothing")
  def note = redirect_to("/read", notice: "saved", flash: { kind: :symbol, at: Time.utc(2000) })
  def shown = render(plain: [flash[:notice], flash[:kind], flash[:at]].to_json)

  def login
    reset_session
    session[:user] = params[:user]
    session[:values] = { symbol: :b, time: Time.utc(2000), list: [1, nil, 1.5] }
    render plain: session.id.to_s
  end

  def logout
    reset_session
    render plain: "bye"
  end

  def renew
    request.session_options[:renew] = true
    session[:renewed] = true
    render plain: "renewed"
  end

  def token = render(plain: form_authenticity_token)
  def posted = render(plain: session[:user].inspect)
end

RAILS_SESSIONS = Class.new(Rails::Application) do
  def self.name = "Visits"
  config.root = ENV.fetch("SESSION_DIR")
  config.load_defaults Rails::VERSION::STRING.to_f
  config.eager_load = false
  config.secret_key_base = "x" * 64
  config.hosts.clear
  config.logger = Logger.new($stderr)
  config.log_level = :warn
  config.active_support.deprecation = :silence
  store = ENV.fetch("SESSION_STORE").to_sym
  options = { key: "_visits", expire_after: 1000 }
  options[:serializer] = ENV["SESSION_SERIALIZER"].to_sym if ENV["SESSION_SERIALIZER"]
  options[:cache] = ActiveSupport::Cache::FileStore.new(File.join(ENV.fetch("SESSION_DIR"), "tmp/cache")) if store == :cache_store
  config.session_store store, **options
end
RAILS_SESSIONS.initialize!
RAILS_SESSIONS.routes.draw do
  %w[count read nothing note shown login logout renew token].each { |action| get action, to: "visits##{action}" }
  post "posted", to: "visits#posted"
end
