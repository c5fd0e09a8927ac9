# frozen_string_literal: true

# A Rack application with 20 middlewares. /page and /erb return 200; /returned/50 returns
# a 404 from 50 frames deeper in the stack; the other paths raise at that depth.
#
# ERRORS_BENCH=stock: the outermost middleware rescues, and it renders and logs the
# exception, except for the paths that start with /bare. ERRORS_BENCH=frugal: the
# Responder is the innermost middleware, and /returned returns the same bytes as the
# Responder answers.
require "erb"
require "logger"
require_relative "../../support/deep"

# The error of the application.
class NotFound < StandardError; end

# A middleware that only calls the next one.
class Passes
  def initialize(app) = @app = app

  def call(env) = @app.call(env)
end

# The middleware that rescues, and renders the exception for the log.
class Rescues
  LOG = Logger.new(File.open(File::NULL, "w"))

  def initialize(app) = @app = app

  def call(env)
    @app.call(env)
  rescue NotFound => e
    LOG.error(e.full_message(highlight: false)) unless env["PATH_INFO"].start_with?("/bare")
    ANSWER.call(404)
  end
end

# The application. The first part of the path is the name of the method to call.
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
