# frozen_string_literal: true

require_relative "../test_helper"
require_relative "racks"

# The base of the tests of sessions: a small application behind the middleware, and a client with a cookie.
#
#   get "/set?a=1"      # => the session as the application left it, by inspect
class SessionCase < Frugal::TestCase
  LIBRARY = Dir.glob(File.expand_path("../../tmp/webs/*/gems/rack-session-2.*/lib", __dir__)).max

  # What a path does with the session.
  ACTIONS = {
    "/read" => ->(session, _) { session["a"] },
    "/set" => ->(session, params) { session.update(params) },
    "/count" => ->(session, _) { session["n"] = session["n"].to_i + 1 },
    "/delete" => ->(session, params) { params.each_key { |key| session.delete(key) } },
    "/clear" => ->(session, _) { session.clear },
    "/destroy" => ->(session, _) { session.destroy },
    "/nothing" => ->(_, _) {},
    "/raise" => lambda { |session, _|
      session["n"] = 99
      raise "of the application"
    },
    "/throw" => lambda { |session, _|
      session["n"] = 99
      throw :halted
    }
  }.freeze

  def setup
    skip "rack-session is not in tmp/webs: bin/setup --webs" unless LIBRARY && Racks.load

    $LOAD_PATH << LIBRARY unless $LOAD_PATH.include?(LIBRARY)
    %w[rack rack/mock rack/lint rack/session/frugal rack/session/pool].each { |file| require file }
    @client = Client.new(stack)
  end

  # A browser: it sends the cookie that it got, and keeps what happened.
  class Client
    attr_accessor :cookie, :errors # errors: rack.errors
    attr_reader :response

    def initialize(stack, cookie = nil)
      @request = Rack::MockRequest.new(stack)
      @cookie = cookie
    end

    # @param options [Hash] becomes a part of rack.session.options
    # @return [String] the body
    def get(path, **options)
      env = { "test.options" => options }
      env["HTTP_COOKIE"] = "rack.session=#{@cookie}" if @cookie
      env["rack.errors"] = @errors if @errors
      @response = @request.get(path, env)
      set = @response["set-cookie"]
      @cookie = set[/rack\.session=([^;]*)/, 1] if set
      @response.body
    end
  end

  private

  def dir = path("sessions")

  # @return [Hash] the option that says where the sessions are
  def place = { dir: dir }

  def stack(kind = Rack::Session::Frugal, app = method(:application), **options)
    options = { **place, **options } if kind == Rack::Session::Frugal
    Rack::Lint.new(@middleware = kind.new(app, options))
  end

  def application(env)
    session = env["rack.session"]
    session.options.update(env["test.options"]) if env["test.options"]&.any?
    params = Rack::Utils.parse_nested_query(env["QUERY_STRING"])
    ACTIONS.fetch(env["PATH_INFO"]).call(session, params)
    [200, {}, [session.loaded? ? session.to_hash.inspect : "not loaded"]]
  end

  # Runs a request in whose middle the block runs, with another client of the same session.
  def inside(path, **options)
    other = Client.new(stack(**options), @client.cookie)
    app = lambda do |env|
      env["rack.session"]["a"]
      yield other
      application(env)
    end
    outer = Client.new(stack(Rack::Session::Frugal, app, **options), @client.cookie)
    outer.get(path)
    assert_equal 200, outer.response.status
  end

  # Starts a request, which waits for another one of its session, in which the block runs.
  #
  # @yieldparam client [Client] has the turn
  # @return [Array(Client, Hash)] the one that has waited, and what was counted
  def waiting_during(path, **options)
    waiting = Client.new(stack, @client.cookie)
    counts = counted do
      thread = nil
      app = lambda do |env|
        env["rack.session"]["a"]
        thread = Thread.new { waiting.get(path, **options) }
        Thread.pass until waits?(thread)
        application(env)
      end
      @client = Client.new(stack(Rack::Session::Frugal, app), @client.cookie)
      yield @client
      thread.join
    end
    @client = Client.new(stack, @client.cookie)
    [waiting, counts]
  end

  # Whether a thread waits for a session: it is in {Frugal::Wait}, or asks a server.
  def waits?(thread)
    raise "the request did not wait" unless thread.alive?

    (thread.backtrace || []).any? { |line| line.match?(/wait_turn|in `await'|KeyedBackend#await|#await'/) } && thread.stop?
  end

  def session
    JSON.parse(record(digest_of(@client.cookie)).bytes)
  end

  def count_in_threads(threads, times)
    get("/set?n=0")
    cookie = @client.cookie
    shared = stack
    Array.new(threads) do
      Thread.new do
        client = Client.new(shared, cookie)
        times.times { client.get("/count") }
      end
    end.each(&:join)
  end

  # Whether requests of one session wait for each other.
  def turns? = true

  # @return [Proc] which waits for the block in a fork, and returns its value
  def in_background(&block)
    thread = Thread.new { in_process(&block) }
    -> { thread.value }
  end

  def get(path, **options) = @client.get(path, **options)

  # @return [Array<String>] the files of sessions
  def files = Dir.glob("#{dir}/??/*")

  def file_of(cookie) = @middleware.backend.entries.path(digest_of(cookie))

  def digest_of(cookie) = Frugal::Entries.digest(private_id(cookie))

  def private_id(cookie) = Rack::Session::SessionId.new(cookie).private_id

  def counted
    before = Frugal::Session.counters
    yield
    Frugal::Session.counters.to_h { |name, count| [name, count - before[name]] }.reject { |_, count| count.zero? }
  end
end
