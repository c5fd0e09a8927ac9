# frozen_string_literal: true

require "socket"
require_relative "web_gems"
require_relative "subprocess"
require_relative "hang"
require_relative "keep_alive"

# A real Puma in a separate process, on 127.0.0.1 and a free port, that serves a config.ru.
#
#   server = WebServer.start(<<~RUBY, dir: tree)          # or serve(…) in a test that includes Serving
#     run ->(env) { [200, {}, ["hello"]] }
#   RUBY
#   server.client { |client| client.get("/").status }     # => 200, by a KeepAlive
#   server.stop
class WebServer
  START_LIMIT = 30 # seconds until it is asked whether the server hangs

  # For tests that start a server, which is stopped at the end of the test.
  module Serving
    # @return [WebServer]
    def serve(config, **options)
      skip WebGems::MISSING unless WebGems.available?("puma", "rack")
      WebServer.start(config, dir: tree, **options).tap { |server| (@servers ||= []) << server }
    end

    def teardown
      @servers&.each(&:stop)
      super
    end
  end

  def self.start(config, **options) = new(config, **options).tap(&:wait)

  # @return [Integer] the process id
  attr_reader :pid

  # @return [Integer]
  attr_reader :port

  # @param config [String] the text of a config.ru
  # @param dir [String] the folder of the config.ru, and the working directory of the server
  # @param env [Hash{String => String, nil}] added to {WebGems::ENVIRONMENT}
  # @param gems [Hash{String => String}] gem → version; the default is the newest
  # @param threads [Integer]
  # @param workers [Integer] processes of a cluster, which are forked when the application is loaded; 0: a single process
  # @param options [Array<String>] options of Ruby, such as ["-rfrugal/rack"]
  # @param puma [String, nil] a file of settings for Puma, in the place of threads, workers and port
  def initialize(config, dir:, env: {}, gems: {}, threads: 1, workers: 0, options: [], puma: nil)
    @log = File.join(dir, "server-#{object_id}.log")
    ru = File.join(dir, "config-#{object_id}.ru")
    File.write(ru, config)
    settings = ["-C", "-", "-b", "tcp://127.0.0.1:0", "-t", "#{threads}:#{threads}", "-w", workers.to_s, *("--preload" if workers.positive?)]
    settings = ["-C", puma] if puma
    @pid = spawn(WebGems::ENVIRONMENT.merge(env), Subprocess::RUBY, "-W0", "-I", Subprocess::LIB, *WebGems.options(gems),
                 *options, File.join(WebGems.folder("puma"), "bin/puma"), *settings, "-e", "production", ru,
                 chdir: dir, in: File::NULL, out: @log, err: %i[child out])
  end

  # Waits until the server answers.
  def wait
    started = Hang.wait_for(@pid, START_LIMIT) do
      @port = log[%r{Listening on http://127\.0\.0\.1:(\d+)}, 1]&.to_i
      @port || ended?
    end
    raise "the server does not start: #{stop || log}" unless started
    raise "the server ended: #{log}" unless @port
  end

  # The output of the server, including what the application wrote to rack.errors.
  def log = File.read(@log)

  # @yieldparam client [KeepAlive] closed after the block
  def client
    client = KeepAlive.new(@port)
    block_given? ? yield(client) : client
  ensure
    client&.close if block_given?
  end

  # @return [nil]
  def stop
    return unless @pid

    Process.kill(:TERM, @pid)
    limit = now + 10
    sleep 0.01 until (ended = Process.wait(@pid, Process::WNOHANG)) || now > limit
    Process.kill(:KILL, @pid) && Process.wait(@pid) unless ended
    @pid = nil
  end

  private

  def ended? = Process.wait(@pid, Process::WNOHANG) && (@pid = nil).nil?

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end
