# frozen_string_literal: true

require "json"
require_relative "../test_helper"
require_relative "../support/web_server"

# Sessions of a Rails 7.2 application: in one process, and behind a Puma of several ones. The control is Rails' own
# :cache_store with a FileStore.
class SessionRailsTest < Frugal::TestCase
  include WebServer::Serving

  APPLICATION = "#{ROOT}/test/support/rails_sessions.rb"
  # A browser, which a script in the application's process uses.
  BROWSER = <<~'RUBY'
    require "rack/mock"
    class Browser
      attr_accessor :cookie
      def initialize(cookie = nil) = @cookie = cookie
      def get(path, verb = "GET", **options)
        env = @cookie ? { "HTTP_COOKIE" => "_visits=#{@cookie}" } : {}
        response = Rack::MockRequest.new(RAILS_SESSIONS).request(verb, path, env.merge(options))
        set = [response["set-cookie"]].flatten.compact.join("\n")
        @cookie = set[/_visits=([^;\n]*)/, 1] if set.include?("_visits=")
        raise "#{response.status} for #{path}: #{response.body[0, 500]}" if response.status >= 400
        response.body
      end
    end
    def files = Dir.glob("#{ENV["SESSION_DIR"]}/tmp/**/*").select { |file| File.file?(file) }
    b = Browser.new
  RUBY

  def setup
    skip WebGems::MISSING unless WebGems.available?("railties", "rack-session", "puma")
    @versions = { "railties" => "7.2.4", "actionpack" => "7.2.4", "actionview" => "7.2.4", "activesupport" => "7.2.4" }
    @versions = {} unless WebGems.versions("railties").include?("7.2.4")
  end

  def test_a_session
    result = rails(<<~'RUBY')
      b.get("/login?user=ann")
      puts b.get("/read"), b.get("/count").split.first(2).join(" "), b.get("/count").split[1]
      old = b.cookie
      b.get("/renew")
      puts old != b.cookie, b.get("/read").include?("renewed"), Browser.new(old).get("/read"), files.size
      b.get("/logout")
      puts b.get("/read"), Browser.new(old).get("/read"), Frugal::Session.counters.values.sum
    RUBY
    assert_equal <<~TEXT, result
      {"user":"ann","values":{"symbol":"b","time":"2000-01-01T00:00:00.000Z","list":[1,null,1.5]}}
      ann 1
      2
      true
      true
      {}
      1
      {}
      {}
      0
    TEXT
  end

  # As with Rails' cookies in JSON: a Symbol and a Time become Strings.
  def test_flash_and_csrf
    result = rails(<<~'RUBY')
      b.get("/login?user=ann")
      b.get("/note")
      puts b.get("/shown"), b.get("/shown")
      token = b.get("/token")
      puts b.get("/posted", "POST", params: { authenticity_token: token }), b.get("/posted", "POST", params: { authenticity_token: "no" })
    RUBY
    assert_equal <<~TEXT, result
      ["saved","symbol","2000-01-01T00:00:00.000Z"]
      [null,null,null]
      "ann"
      nil
    TEXT
  end

  def test_marshal_with_rails_own_secret
    result = rails(<<~'RUBY', "SESSION_SERIALIZER" => "marshal")
      b.get("/login?user=ann")
      b.get("/note")
      puts b.get("/shown"), b.get("/read")
    RUBY
    assert_match(/\A\["saved","symbol","2000/, result)
    assert_match(/"user":"ann"/, result)
  end

  # An unchanged session is not written, a bad file is an empty session, and what nobody uses does not exist.
  def test_files
    script = <<~'RUBY'
      b.get("/nothing")
      puts files.size
      b.get("/login?user=ann")
      before = files.map { |file| [file, File.stat(file).ino, File.mtime(file)] }
      sleep 0.02
      b.get("/read")
      puts before == files.map { |file| [file, File.stat(file).ino, File.mtime(file)] }
      File.binwrite(files[0], "\x04\bo:\vNobody\x00")
      puts (b.get("/read") rescue "failed: #{$!.message}")
    RUBY
    assert_equal "0\ntrue\n{}\n", rails(script)
    stock = rails(script, "SESSION_STORE" => "cache_store")
    assert_match(/\A0\nfalse\n/, stock, "the control: stock writes a session that has not changed")
  end

  def test_increments_of_eight_processes
    script = <<~'RUBY'
      b.get("/login?user=ann")
      pids = Array.new(8) { fork { 150.times { Browser.new(b.cookie).get("/count") } } }
      pids.each { |pid| Process.wait(pid) }
      puts JSON.parse(b.get("/read"))["n"]
    RUBY
    assert_equal "1200\n", rails(script)
    assert_operator rails(script, "SESSION_STORE" => "cache_store").to_i, :<, 1200, "the control: stock loses increments"
  end

  def test_the_drop_in_for_rails_has_the_store_too
    result = run_command(RUBY, "-W0", "-I", LIB, *WebGems.options(@versions), "-rlogger", "-ractive_support", "-rrails", "-rfrugal/rails",
                         "-e", "print ActionDispatch::Session.resolve_store(:frugal_store)", env: WebGems::ENVIRONMENT)
    assert_equal "ActionDispatch::Session::FrugalStore", result.out, result
  end

  def test_a_cluster
    server = serve(<<~RUBY, workers: 2, threads: 2, gems: @versions, env: { "SESSION_DIR" => tree, "SESSION_STORE" => "frugal_store" })
      require "#{APPLICATION}"
      run RAILS_SESSIONS
    RUBY
    cookie = server.client { |client| client.get("/login?user=ann")["set-cookie"][/_visits=[^;]*/] }
    threads = Array.new(4) do
      Thread.new { Array.new(25) { server.client { |client| client.get("/count", "Cookie" => cookie).body.split } } }
    end
    answers = threads.flat_map(&:value)
    assert_equal (1..100).to_a, answers.map { |answer| answer[1].to_i }.sort
    assert_equal %w[ann], answers.map(&:first).uniq
  end

  private

  # @return [String] what the script prints
  def rails(script, env = {})
    FileUtils.rm_rf(path("tmp"))
    env = WebGems::ENVIRONMENT.merge("SESSION_DIR" => tree, "SESSION_STORE" => "frugal_store", **env)
    result = run_command(RUBY, "-W0", "-I", LIB, *WebGems.options(@versions), "-r", APPLICATION, "-e", BROWSER + script, env: env)
    assert result.success?, result
    result.out
  end
end
