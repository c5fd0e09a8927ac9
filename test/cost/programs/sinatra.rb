# frozen_string_literal: true

require_relative "../support/program"
require "sinatra/base"
require "rack/mock"
include CostProgram # rubocop:disable Style/MixinUsage

APP = Class.new(Sinatra::Base) do
  set :environment, :production
  20.times { |number| get("/shelves#{number}/:id") { "shelf #{number}" } }
  get("/halt/:id") { halt 404, "there is nothing" }
end

# Requests after the first ones.
def requests(name, path)
  ask = ->(_number) { APP.call(Rack::MockRequest.env_for(path)) }
  measure("50 × #{name}") { 3.times(&ask) && -> { 50.times(&ask) } }
end

apart do
  halt = ->(_number) { APP.call(Rack::MockRequest.env_for("/halt/1")) }
  measure("drop-in at 0") { -> { require "frugal/sinatra" if frugal? } }
  measure("drop-in at 1: the first halt") { -> { halt.call(0) } }
  measure("drop-in at 10: ten more") { -> { 10.times(&halt) } }
  requests("halt", "/halt/1")
  requests("unknown route", "/nothing/1")
  requests("page", "/shelves1/1")
end
