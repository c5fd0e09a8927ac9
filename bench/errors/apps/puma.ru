# frozen_string_literal: true

# Twenty middlewares, and one answer in many ways: /page and /erb return 200,
# /returned/50 a 404 from 50 frames below, the others raise as far down.
#
# ERRORS_BENCH=stock: who rescues stands outermost, and renders and logs what
# comes, but for the ways called bare. ERRORS_BENCH=frugal: Responder stands
# innermost, and what is returned is, byte for byte, what it answers.
require "erb"
require "logger"
require_relative "../../support/deep"

# What the application raises.
class NotFound < StandardError; end
# Passes on.
class Passes
  def initialize(app) = @app = app

  def call(env) = @app.call(env)
end

# The finding's server: A renders, B does not.
class Rescues
  LOG = Logger.new(File.open(File::NULL, "w"))

  def initialize(app) = @app = app

  def call(env)
    @app.call(env)
  rescue NotFound => error
    LOG.error(error.full_message(highlight: false)) unless env["PATH_INFO"].start_with?("/bare")
    ANSWER.call(404)
  end
end

# Its methods are the ways, named as in the path.
class Ways
  Article = Struct.new(:name, :cents)
  REUSED = NotFound.new("there is nothing")
  TEMPLATE = ERB.new(File.read(File.join(__dir__, "views/page.erb")), trim_mode: "-")
  TEMPLATE.def_method(self, "render(articles)")
  ARTICLES = Array.new(10) { |number| Article.new("Article #{number}", number * 100) }.freeze

  def call(env)
    _, way, frames = env["PATH_INFO"].split("/")
    Frugal::Bench.deep(frames.to_i) { public_send(way) }
  end

  def page = ANSWER.call(200)

  def erb = [200, { "content-type" => "text/html;charset=utf-8" }, [render(ARTICLES)]]

  def returned = ANSWER.call(404)

  def raised = raise(NotFound, "there is nothing")
  alias bare raised

  def reused = raise(REUSED)
  alias bare_reused reused

  def halt = Frugal.halt(404)

  def signal = Frugal.signal(NotFound, "there is nothing")
end

stock = ENV.fetch("ERRORS_BENCH") == "stock"
if stock
  use Rescues
  TEXT = "404 Not Found\n"
  headers = { "content-type" => "text/plain;charset=utf-8", "content-length" => TEXT.bytesize.to_s }
else
  require "frugal/rack"
  answers = Frugal::Rack::Responder.new(Ways.new, rescue_responses: { "NotFound" => 404 })
  _, headers, body = answers.call({ "REQUEST_METHOD" => "GET", "PATH_INFO" => "/raised/0" })
  TEXT = [].tap { |parts| body.each { |part| parts << part } }.join.freeze
end
ANSWER = ->(status) { [status, headers.dup, [TEXT]] }

20.times { use Passes }
use Frugal::Rack::Responder, rescue_responses: { "NotFound" => 404 } unless stock
run Ways.new
