# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/web_gems"
require_relative "../support/keep_alive"
require "frugal/profile"

# `--by route`, with a real Puma of two workers.
class RoutesTest < Frugal::TestCase
  CONFIG = <<~'RUBY'
    map("/files") { run ->(_) { File.exist?("/etc/passwd"); (File.open("none") rescue 0); [200, {}, ["x"]] } }
    run ->(_) { 3.times { File.stat("/etc/hostname") }; [200, {}, ["x"]] }
  RUBY

  def setup
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
    skip WebGems::MISSING unless WebGems.available?("puma", "rack")
  end

  def test_calls_and_exceptions_of_each_route
    recording = serve do |port|
      client = KeepAlive.new(port)
      4.times { |number| client.get("/posts/#{number}") }
      2.times { client.get("/files/a") }
      client.close
    end
    groups = Frugal::Profile::Groups.of(recording, :route)
    assert_equal [["GET /posts/:id", 4, 3.0, 0.0], ["GET /files/a", 2, 2.0, 1.0], [nil, nil, nil, nil]].sort_by(&:to_s),
                 groups.map { |group| [group.name, group.runs, group.each(:calls), group.each(:exceptions)] }.sort_by(&:to_s)
    counts = groups.to_h { |group| [group.name, group.counts] }
    assert_equal [12, 0], counts["GET /posts/:id"].values_at(:stats, :exceptions)
    assert_equal [2, 2, 2], counts["GET /files/a"].values_at(:stats, :opens, :exceptions)
    assert_nil groups.last.name
  end

  # The calls of programs that a request starts are those of its route.
  def test_processes_that_a_request_starts
    recording = serve('run ->(_) { system("test -e system"); Process.wait(fork { File.exist?("fork"); exit! }); [200, {}, ["x"]] }') do |port|
      client = KeepAlive.new(port)
      2.times { |number| client.get("/#{number}") }
      client.close
    end
    %w[system fork].each do |name|
      assert_equal ["GET /:id"] * 2, recording.calls.select { |call| call.path == path(name) }.map(&:group), name
    end
  end

  private

  # @return [Frugal::Profile::Recording] of a Puma that is stopped after the block
  def serve(config = CONFIG)
    run = Thread.new { profile(write("config.ru", config)) }
    wait_for(/Worker 1 .*booted/)
    yield log[/Listening on http:[^:]+:(\d+)/, 1].to_i
    Process.kill(:TERM, log[/(?:Master )?PID: (\d+)/, 1].to_i)
    run.value
  end

  def profile(config)
    puma = File.join(WebGems.folder("puma"), "bin/puma")
    command = [RUBY, "-W0", *WebGems.options({}), puma, "-C", "-", "-w", "2", "-t", "1:1", "-b", "tcp://127.0.0.1:0", config]
    Frugal::Profile::Run.new(command, agent: :route, env: WebGems::ENVIRONMENT, chdir: tree, in: File::NULL,
                                      out: path("log"), err: path("log")).call
  end

  def log = File.exist?(path("log")) ? File.read(path("log")) : ""

  def wait_for(pattern)
    eventually { log.match?(pattern) }
  end
end
