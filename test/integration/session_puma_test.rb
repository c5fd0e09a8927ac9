# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/stores"
require_relative "../support/web_server"

# Sessions behind a real Puma of several processes.
class SessionPumaTest < Frugal::TestCase
  include WebServer::Serving
  include Stores

  CONFIG = <<~'RUBY'
    require "rack/session/frugal"
    use Rack::Session::Frugal, expire_after: 1000, %<options>s
    run lambda { |env|
      session = env["rack.session"]
      session["user"] ||= env["QUERY_STRING"]
      session["n"] = session["n"].to_i + 1 unless env["PATH_INFO"] == "/read"
      session["pad"] = "x" * rand(3000) if env["PATH_INFO"] == "/pad"
      [200, {}, ["#{session["user"]} #{session["n"]} #{Process.pid}"]]
    }
  RUBY

  # A browser that keeps its cookie, and connects again for each request: so that it comes to another process.
  class Browser
    # @return [String] its name
    attr_reader :user

    # @return [String, nil] the session's id
    attr_reader :cookie

    # @return [Integer] requests without an answer
    attr_reader :failures

    def initialize(port, user, cookie = nil)
      @port = port
      @user = user
      @cookie = cookie
      @failures = 0
    end

    # @return [Array(String, Integer, Integer), nil] the user and the count in the session, and the process; nil if it was killed
    def get(path = "/")
      client = KeepAlive.new(@port)
      response = client.get("#{path}?#{@user}", @cookie ? { "Cookie" => "rack.session=#{@cookie}" } : {})
      @cookie = response["set-cookie"][/rack\.session=(\h+)/, 1] if response["set-cookie"]
      raise "status #{response.status}: #{response.body}" unless response.status == 200

      user, count, process = response.body.split
      [user, count.to_i, process.to_i]
    rescue EOFError, SystemCallError
      @failures += 1
      nil
    ensure
      client&.close
    end
  end

  def test_no_increment_is_lost = count(cluster(8))

  def test_no_increment_is_lost_over_redis
    needs(:redis)
    count(cluster(8, options: redis))
  end

  # Two requests at once change different keys of one session; none waits.
  def test_without_locks
    server = cluster(4, options: 'dir: "sessions", lock: false')
    cookie = Browser.new(server.port, "bob").tap(&:get).cookie
    in_threads(4) do
      browser = Browser.new(server.port, "bob", cookie)
      50.times { assert_equal "bob", browser.get("/pad").first }
    end
    assert_equal "bob", Browser.new(server.port, "bob", cookie).get("/read").first
  end

  # Workers are killed again and again, in the middle of requests. What a client was answered is saved, nobody sees
  # the session of another user, and no file is damaged.
  def test_a_storm_of_kills
    server = cluster(4)
    storm(server)
    refute_path_exists path("sessions/quarantine")
    refute_match(/^frugal:/, server.log)
  end

  # The turn of a killed request ends by itself after a second; others wait for a tenth of it, and merge.
  def test_a_storm_of_kills_over_redis
    needs(:redis)
    server = cluster(4, options: "#{redis}, lock_wait: 0.1")
    storm(server)
    refute_match(/^frugal: (?!a request waited)/, server.log)
  end

  private

  def cluster(workers, options: 'dir: "sessions"')
    serve(format(CONFIG, options: options), workers: workers, options: StoreGems::LIBRARIES.map { |library| "-I#{library}" })
  end

  def redis = "redis: #{"#{RedisServer.shared.url}?store=puma-#{Process.pid}-#{object_id}".inspect}"

  # Eight clients of one session count at once.
  def count(server)
    cookie = Browser.new(server.port, "ann").tap { |browser| assert browser.get("/read") }.cookie
    processes = in_threads(8) do
      browser = Browser.new(server.port, "ann", cookie)
      Array.new(150) { browser.get.last }
    end
    assert_equal ["ann", 1200], Browser.new(server.port, "ann", cookie).get("/read").first(2)
    assert_operator processes.flatten.uniq.size, :>, 1
    assert_equal "", server.log[/^frugal:.*/].to_s
  end

  def storm(server)
    kills = 0
    browsers = Array.new(6) { |n| Browser.new(server.port, "user#{n}") }
    answers = Array.new(browsers.size, 0)
    followers = browsers.each_index.map { |n| Thread.new { follow(browsers[n]) { |count| (answers[n] = count) && @done } } }
    limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 240
    seen = 0
    until @done
      sleep 0.05
      # On a busy machine, workers take longer to start: some answer first.
      kills += kill_a_worker(server.pid) if answers.sum > seen
      seen = answers.sum
      # Enough of them came in the middle of a request.
      enough = kills >= 15 && browsers.sum(&:failures) >= 5 && seen > 50
      @done = enough || Process.clock_gettime(Process::CLOCK_MONOTONIC) > limit
    end
    answered = followers.sum(&:value)
    assert_operator kills, :>=, 15
    assert_operator browsers.sum(&:failures), :>=, 5
    assert_operator answered, :>, 50
  end

  def in_threads(count, &block) = Array.new(count) { |n| Thread.new(n, &block) }.map(&:value)

  # Sends requests until the block, which gets the number of those that were answered, returns true, and checks what
  # each one finds.
  #
  # @return [Integer] how many were answered
  def follow(browser)
    last = 0
    unanswered = 0
    answered = 0
    until yield(answered)
      answer = browser.get(answered.odd? ? "/pad" : "/")
      next unanswered += 1 unless answer

      assert_equal browser.user, answer[0]
      # A request that was not answered may have been saved. The first one of all cannot be found again.
      assert_includes last + 1..last + 1 + unanswered, answer[1], browser.user
      last = answer[1]
      unanswered = 0
      answered += 1
    end
    answered
  end

  # @return [Integer] 1 if there was one to kill
  def kill_a_worker(pid)
    worker = File.read("/proc/#{pid}/task/#{pid}/children").split.map(&:to_i).sample or return 0
    Process.kill(:KILL, worker)
  rescue SystemCallError
    0
  end
end
