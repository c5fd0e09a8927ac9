# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/stores"
require_relative "../support/web_server"

# examples/sessions for real: both applications under Puma with the settings of the example, with each store.
class SessionExamplesTest < Frugal::TestCase
  include WebServer::Serving
  include Stores

  EXAMPLE = File.join(ROOT, "examples/sessions")

  %w[config.ru rails.ru].product(%w[file sqlite redis]).each do |application, store|
    define_method("test_#{application}_with_#{store}") do
      needs(store.to_sym) unless store == "file"
      server = start(application, store)
      answers = in_threads(4) { |cookie| Array.new(10) { visit(server, "/", cookie) } }
      answers << visit(server, "/", @cookie) until workers(answers) == 2 || answers.size > 2000
      assert_equal 2, workers(answers)
      assert_equal (2..answers.size + 1).to_a, answers.map { |text| text[/\Avisit (\d+), process \d+\n\z/, 1].to_i }.sort
      assert_match(/\A#{answers.size + 1} visits, /, visit(server, "/seen", @cookie))
      assert_match(/\Abye, /, visit(server, "/leave", @cookie))
      assert_match(/\A0 visits, /, visit(server, "/seen", @cookie))
      assert_equal({ "file" => %w[sessions], "sqlite" => %w[sessions.sqlite sessions.sqlite-turn], "redis" => [] }.fetch(store), places)
      refute_match(/frugal:|Error/, server.log)
    end
  end

  private

  def start(application, store)
    %w[store.rb puma.rb].each { |name| write(name, File.read("#{EXAMPLE}/#{name}")) }
    env = { "STORE" => store, "REDIS_URL" => store == "redis" ? "#{RedisServer.shared.url}?store=#{name}" : nil, "BIND" => "tcp://127.0.0.1:0" }
    serve(File.read("#{EXAMPLE}/#{application}"), puma: "puma.rb", env: env, gems: rails,
                                                  options: StoreGems::LIBRARIES.map { |library| "-I#{library}" })
  end

  # The example is for Rails 7.2.
  def rails
    version = WebGems.versions("railties").grep(/\A7\.2\./).last or skip WebGems::MISSING
    %w[railties actionpack actionview activesupport].to_h { |gem| [gem, version] }
  end

  # The first visit has no cookie, and the others have that of the first.
  def in_threads(count)
    first = @servers.last.client { |client| client.get("/") }
    @cookie = Array(first["set-cookie"]).join[/_visits=[^;]*/]
    Array.new(count) { Thread.new { yield @cookie } }.flat_map(&:value)
  end

  # Each visit has a connection of its own, so that it comes to either worker.
  def visit(server, path, cookie) = server.client { |client| client.get(path, "Cookie" => cookie).body }

  def workers(answers) = answers.map { |text| text[/\d+$/] }.uniq.size

  def places = Dir.children(path("tmp")).grep_v(/-(wal|shm)\z/).sort
end
