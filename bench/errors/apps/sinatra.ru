# frozen_string_literal: true

# A Sinatra application in production, with 32 routes: a page, and several kinds of errors.
#
# ERRORS_BENCH=stock: Sinatra without frugal; frugal: with its drop-in.
require "sinatra/base"
require_relative "../../support/deep"
require "frugal/sinatra" if ENV.fetch("ERRORS_BENCH") == "frugal"

# A shop with one page.
class Shop < Sinatra::Base
  class OutOfStock < StandardError; end
  Article = Struct.new(:name, :cents)

  ARTICLES = Array.new(10) { |number| Article.new("Article #{number}", number * 100) }.freeze

  set :views, File.join(__dir__, "views")

  13.times { |number| get("/shelves#{number}/:id") { "shelf #{number}" } }
  get("/articles/:id") { erb :articles, layout: :layout, locals: { articles: ARTICLES } }
  get("/halt/:id") { halt 404, "there is nothing" }
  get("/error/:id") { raise OutOfStock, "there is nothing" }
  get("/deep/:id") { Frugal::Bench.deep(150) { raise OutOfStock, "there is nothing" } }
  get("/no-method/:id") { ARTICLES.first.price }
  14.times { |number| get("/orders#{number}/:id") { "order #{number}" } }

  error(OutOfStock) { [404, "there is nothing"] }
end

run Shop
