# frozen_string_literal: true

require "json"
require "net/http"
require_relative "../test_helper"
require_relative "../support/web_gems"

# `frugal profile` of programs that run until a signal comes: the report is made then, and the status is theirs.
class ServersTest < Frugal::TestCase
  FRUGAL = [RUBY, "-w", "-I", LIB, "#{ROOT}/exe/frugal", "profile"].freeze
  # As Sidekiq: threads take jobs from a queue; TERM and INT end it once the jobs that were begun are done.
  WORKERS = <<~'RUBY'
    jobs = Queue.new
    40.times { |number| jobs << number }
    threads = 4.times.map do
      Thread.new do
        while (number = jobs.pop)
          File.exist?("job#{number}")
          Integer("x") rescue 0
        end
      end
    end
    signals, write = IO.pipe
    %w[TERM INT].each { |name| trap(name) { write.puts(name) } }
    sleep 0.01 until jobs.empty?
    File.write("ready", "")
    File.write("got", signals.gets)
    jobs.close
    threads.each(&:join)
    exit 5
  RUBY
  RAILS = {
    "bin/rails" => "APP_PATH = File.expand_path('../config/application', __dir__)\nrequire 'rails/commands'\n",
    "config.ru" => "require_relative 'config/application'\nRails.application.initialize!\nrun Rails.application\n",
    "config/puma.rb" => "workers 2\nthreads 1, 1\n",
    "config/application.rb" => <<~'RUBY',
      require "logger"
      require "active_support"
      require "rails"
      require "action_controller/railtie"
      class App < Rails::Application
        config.eager_load = true
        config.secret_key_base = "x" * 30
        config.logger = Logger.new(nil)
        routes.append { get "/posts/:id" => "posts#show" }
      end
    RUBY
    "app/controllers/posts_controller.rb" => <<~'RUBY'
      class PostsController < ActionController::Base
        def show
          File.exist?("post")
          Integer("x") rescue 0
          render plain: "ok"
        end
      end
    RUBY
  }.freeze

  def setup
    skip "the recorder is not compiled" unless File.exist?("#{LIB}/frugal/native/#{Frugal::Platform::ABI}/recorder.so")
  end

  # TERM comes to frugal only; Ctrl-C of a terminal comes to the whole group.
  def test_a_loop_with_worker_threads
    write("workers.rb", WORKERS)
    { "TERM" => 1, "INT" => -1 }.each do |signal, sign|
      pid = start(RUBY, "--disable-gems", "workers.rb")
      eventually { File.exist?(path("ready")) }
      Process.kill(signal, sign * pid)
      assert_equal 5, Process.wait2(pid).last.exitstatus, File.read(path("err"))
      report = JSON.parse(File.read(path("r.json")))
      assert_equal [signal, 40, 40], [File.read(path("got")).chomp, asked(report, /job\d+\z/), raised(report, "ArgumentError")]
      assert_match(/^ *calls +stats/, File.read(path("err")))
      %w[ready got r.json].each { |file| File.unlink(path(file)) }
    end
  end

  def test_rails_with_puma_in_cluster_mode
    skip WebGems::MISSING unless WebGems.available?("puma", "railties", "rack")
    RAILS.each { |name, code| write(name, code) }
    # rails/commands needs Rack::Server, which Rack 3 does not have
    rails = [RUBY, "-W0", *WebGems.options("rack" => "2.2.17"), "bin/rails", "server", "-u", "puma", "-b", "127.0.0.1", "-p", "0"]
    pid = start("--by", "route", "--", *rails, env: WebGems::ENVIRONMENT)
    eventually { output.match?(/Worker 1 .*booted/) && output.match?(/Worker 0 .*booted/) }
    3.times { |number| assert_equal "ok", Net::HTTP.get(URI("http://127.0.0.1:#{output[/Listening on .*:(\d+)/, 1]}/posts/#{number}")) }
    Process.kill(:TERM, pid)
    assert_equal Signal.list["TERM"], Process.wait2(pid).last.termsig, output
    route = JSON.parse(File.read(path("r.json")))["groups"].find { |group| group["group"] == "GET /posts/:id" }
    assert_equal 3, route["runs"]
    assert_operator route["stats"], :>=, 3
    assert_match(%r{^ *requests.*\n +3 +\d.* GET /posts/:id\n}, output)
  end

  private

  def start(*command, env: {})
    Process.spawn(env, *FRUGAL, "--json", "r.json", *command, chdir: tree, pgroup: true, in: File::NULL, out: path("err"), err: %i[child out])
  end

  def output = File.read(path("err"))

  def asked(report, name) = report["calls"].sum { |call| call["path"]&.match?(name) ? call["count"] : 0 }

  def raised(report, name) = report["exceptions"].sum { |row| row["class"] == name ? row["count"] : 0 }
end
