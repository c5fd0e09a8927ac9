# frozen_string_literal: true

require_relative "../support/program"
require "logger"
require "rails"
require "action_controller/railtie"
require "rack/mock"
include CostProgram # rubocop:disable Style/MixinUsage

Dir.mkdir("public")
File.write("public/404.html", "<h1>There is nothing</h1>")

class OutOfStock < StandardError; end

class ArticlesController < ActionController::Base
  def show = render(plain: "an article")
  def raised = raise(OutOfStock, "there is nothing")
end

# Boots the application.
def boot(route_check: false)
  require "frugal/rails" if frugal?
  app = Class.new(Rails::Application) do
    def self.name = "Shop"
    config.root = Dir.pwd
    config.load_defaults Rails::VERSION::STRING.to_f
    config.eager_load = true
    config.cache_classes = true
    config.secret_key_base = "0" * 64
    config.consider_all_requests_local = false
    config.public_file_server.enabled = false
    config.logger = ActiveSupport::Logger.new(File::NULL)
    config.action_dispatch.rescue_responses["OutOfStock"] = :not_found
    config.frugal.route_check = true if route_check && frugal?
  end
  app.initialize!
  app.routes.draw { %w[show raised].each { |action| get "/#{action}/:id", to: "articles##{action}" } }
  app
end

# Requests after the first ones.
def requests(name, app, path)
  ask = ->(_number) { app.call(Rack::MockRequest.env_for(path)).last.then { |body| body.close if body.respond_to?(:close) } }
  measure("20 × #{name}") { 3.times(&ask) && -> { 20.times(&ask) } }
end

apart do
  app = boot
  requests("page", app, "/show/1")
  requests("raise, answered with 404", app, "/raised/1")
  requests("unknown route", app, "/nothing/1")
end
apart { requests("unknown route, route_check", boot(route_check: true), "/nothing/1") }
