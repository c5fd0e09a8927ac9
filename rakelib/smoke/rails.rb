# frozen_string_literal: true

# Requires: logger rack/mock rails action_controller/railtie

class App < Rails::Application
  config.load_defaults Rails::VERSION::STRING.to_f
  config.eager_load = false
  config.secret_key_base = "a" * 64
  config.logger = Logger.new(nil)
  config.consider_all_requests_local = false
  config.hosts.clear
end

class PagesController < ActionController::Base
  def show = render(plain: "yes")
end

ENV["RAILS_ENV"] = "production"
App.initialize!
App.routes.draw { get "/" => "pages#show" }
browser = Rack::MockRequest.new(App)
browser.get("/").body == "yes" or abort "the page is not there"
browser.get("/missing").status == 404 or abort "not a 404"
