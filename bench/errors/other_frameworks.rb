# frozen_string_literal: true

# Measures whether errors cost more than pages in Hanami and Grape: processor time of one request
# in process, medians of 9 rounds. docs/http.md has the results. Install the gems first:
#
#   gem install --install-dir ~/gems grape:2.2.0 activesupport:7.2.2 zeitwerk:2.6.18
#   GEM_HOME=~/gems ruby bench/errors/other_frameworks.rb grape
#   gem install --install-dir ~/gems hanami-router:2.2.0 hanami-controller:2.2.0
#   GEM_HOME=~/gems ruby bench/errors/other_frameworks.rb hanami
ENV["RACK_ENV"] = "production"
require "erb"
require "stringio"
require_relative "../support/deep"

# What the applications of all frameworks share: their error, their pages.
module OtherFrameworks
  class Down < StandardError
  end
  LIST = ERB.new("<html><body><h1>list</h1><ul><% 20.times do |number| %><li><%= number %></li><% end %></ul></body></html>")
  PATHS = { "page" => "/page", "its own halt" => "/halt", "unknown route" => "/nobody/knows", "handled error" => "/error",
            "150 deeper" => "/deep", "NoMethodError" => "/no-method" }.freeze
  LOG = File.open(File::NULL, "w")

  module_function

  def page = LIST.result
  def down = raise(Down, "down")
  def deep = Frugal::Bench.deep(150) { down }

  def grape
    require "grape"
    Class.new(Grape::API) do
      format :txt
      rescue_from(Down) { error!("down", 503) }
      rescue_from(NoMethodError) { error!("oops", 500) }
      get("/page") { OtherFrameworks.page }
      get("/halt") { error!("nothing", 404) }
      get("/error") { OtherFrameworks.down }
      get("/deep") { OtherFrameworks.deep }
      get("/no-method") { nobody_knows(1) }
      27.times { |number| get("/things#{number}/:id") { "thing" } }
    end
  end

  def hanami
    require "hanami/router"
    require "hanami/controller"
    action = lambda do |&body|
      Class.new(Hanami::Action) { config.handle_exception(Down => 503, NoMethodError => 500) && define_method(:handle, &body) }.new
    end
    page = action.call { |_, response| response.body = OtherFrameworks.page }
    others = { "halt" => action.call { |*| halt(404, "nothing") }, "error" => action.call { |*| OtherFrameworks.down },
               "deep" => action.call { |*| OtherFrameworks.deep }, "no-method" => action.call { |*| nobody_knows(1) } }
    Hanami::Router.new do
      get "/page", to: page
      others.each { |name, to| get("/#{name}", to: to) }
      27.times { |number| get("/things#{number}/:id", to: page) }
    end
  end

  def environment(path)
    { "REQUEST_METHOD" => "GET", "PATH_INFO" => path, "SCRIPT_NAME" => "", "QUERY_STRING" => "",
      "SERVER_NAME" => "one.test", "SERVER_PORT" => "80", "SERVER_PROTOCOL" => "HTTP/1.1", "rack.url_scheme" => "http",
      "rack.input" => StringIO.new, "rack.errors" => LOG, "HTTP_HOST" => "one.test", "HTTP_ACCEPT" => "*/*" }
  end

  # @return [Float] µs
  def time(application, path, requests)
    GC.start
    started = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :float_microsecond)
    requests.times { application.call(environment(path)) }
    (Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :float_microsecond) - started) / requests
  end

  def compare(application)
    rounds = Array.new(10) { PATHS.transform_values { |path| time(application, path, 200) } }.drop(1)
    medians = PATHS.to_h { |name, _| [name, rounds.map { |round| round[name] }.sort[rounds.size / 2]] }
    medians.each do |name, median|
      puts format("%-14s %7.1f µs  page / this: %.2f", name, median, medians["page"] / median)
    end
  end
end

framework = ARGV.first
abort "usage: ruby bench/errors/other_frameworks.rb grape|hanami" unless %w[grape hanami].include?(framework)
begin
  application = OtherFrameworks.public_send(framework)
rescue LoadError => e
  abort "#{e.message.lines.first.chomp}: see the first lines of #{$PROGRAM_NAME} for how to install it"
end
OtherFrameworks.compare(application)
