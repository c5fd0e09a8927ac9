# frozen_string_literal: true

# A Rails application in production, with one controller: a page, and several kinds of
# errors. Its log is written to /dev/null.
#
# ERRORS_BENCH=stock: Rails without frugal; frugal: with the Railtie; "frugal, route_check":
# also with the route check as the outermost middleware. The database is in
# ERRORS_BENCH_FOLDER.
ENV["RAILS_ENV"] = "production"
ENV["DATABASE_URL"] = "sqlite3:#{File.join(ENV.fetch("ERRORS_BENCH_FOLDER"), "#{ENV.fetch("ERRORS_BENCH").tr(", ", "-")}.sqlite")}"
require "rails"
require "active_record/railtie"
require "action_controller/railtie"
require_relative "../../support/deep"
require "frugal/rails" unless ENV.fetch("ERRORS_BENCH") == "stock"

# The error of the application, which it answers with 404.
class OutOfStock < StandardError; end

# A shop with one page.
class Shop < Rails::Application
  config.root = File.join(__dir__, "rails")
  config.load_defaults Rails::VERSION::STRING.to_f
  config.eager_load = true
  config.cache_classes = true # as in config/environments/production.rb: otherwise each request checks for changed files
  config.secret_key_base = "0" * 64
  config.consider_all_requests_local = false
  config.logger = ActiveSupport::TaggedLogging.new(ActiveSupport::Logger.new(File::NULL))
  config.log_level = :info
  config.log_tags = [:request_id]
  config.action_dispatch.rescue_responses["OutOfStock"] = :not_found
  config.frugal.route_check = true if ENV.fetch("ERRORS_BENCH").end_with?("route_check")
end

Shop.initialize!
ActiveRecord::Base.connection.create_table(:articles, force: true) { |table| table.string(:name) }

class Article < ActiveRecord::Base; end

# The first part of the path is the name of the action.
class ArticlesController < ActionController::Base
  Line = Struct.new(:name, :cents)
  ARTICLES = Array.new(25) { |number| Line.new("Article #{number}", number * 100) }.freeze

  def show = @articles = ARTICLES

  def raised = raise(OutOfStock, "there is nothing")

  def deep = Frugal::Bench.deep(150) { raise OutOfStock, "there is nothing" }

  def find = Article.find(0)

  def no_method = ARTICLES.first.price

  def missing = head(:not_found)
end

Shop.routes.draw do
  resources :orders, :customers, :shelves, only: [:index]
  %w[show raised deep find no_method missing].each { |action| get "/#{action}/:id", to: "articles##{action}" }
end

run Shop
