# frozen_string_literal: true

require "stringio"

module SinatraFuzz
  # A random application and random requests to it. Prints a line for each request with everything that a client, a
  # middleware, a handler or a reader of the log can observe.
  class Conversation
    REQUESTS = 10
    # Frames of Sinatra, of which some are frugal's with the drop-in.
    FRAMEWORK = %r{/sinatra/base\.rb|frugal/dropin|test/fuzz/sinatra/logged_traces\.rb|`(?:catch|each|times|instance_exec)'$}

    class << self
      # How many errors each line has raised so far.
      def places = @places ||= Hash.new(0)
    end

    def initialize(random, folder)
      @random = random
      @folder = folder
      @journal = []
      @application = Application.new(random, @journal, folder)
      @served = serve(@application.classes.last)
    end

    # @return [Array<String>]
    def lines
      Array.new(REQUESTS) do
        @application.change_routes if @random.rand < 0.5
        answer(environment)
      end
    end

    private

    def serve(application)
      case @random.rand(4)
      when 0 then application.new(->(env) { [200, { "x-below" => "1" }, ["below #{env["PATH_INFO"]}"]] })
      when 1 then application
      else application.new
      end
    end

    def environment
      path = @application.path
      asked = { "REQUEST_METHOD" => pick(%w[GET GET GET GET GET HEAD HEAD POST POST PUT DELETE OPTIONS PATCH BREW]), "PATH_INFO" => path, "SCRIPT_NAME" => "",
                "QUERY_STRING" => pick(["", "", "id=q", "q=raise", "splat=1&captures=2", "ignore=1", "a[b]=1", "a=%ff", "a=1&a[b]=2"]),
                "SERVER_NAME" => "one.test", "SERVER_PORT" => "80", "HTTP_HOST" => pick(%w[one.test two.test other]), "HTTP_ACCEPT" => pick(["*/*", "application/json", "text/html"]),
                "HTTP_USER_AGENT" => pick(["fuzz 7", "other"]), "rack.url_scheme" => "http", "rack.input" => StringIO.new(pick(["", "_method=PUT", "id=body"])),
                "CONTENT_TYPE" => "application/x-www-form-urlencoded", "rack.errors" => @errors = StringIO.new, "SERVER_PROTOCOL" => "HTTP/1.1", "REMOTE_ADDR" => "127.0.0.1" }
      @random.rand < 0.05 ? asked.merge("HTTP_X_HTTP_METHOD_OVERRIDE" => "PUT") : asked
    end

    def answer(env)
      @journal.clear
      asked = "#{env["REQUEST_METHOD"]} #{env["PATH_INFO"].inspect}"
      result = response(env)
      seen = env.select { |name, _| name.start_with?("sinatra.", "watched") && !name.match?(/accept|error\z/) }
      [asked, result, seen.sort.inspect, error(env["sinatra.error"]), @journal.inspect, log].map { |part| part.to_s.b }.join(" | ").gsub(@folder, "HOME").gsub(/0x\h+|object_id=\d+/n, "0x")
    end

    def response(env)
      status, headers, body = @served.call(env)
      bytes = +""
      body.each { |part| bytes << part.to_s }
      body.close if body.respond_to?(:close)
      return "#{status} #{bytes[%r{<title>.*</title>}]}" if bytes.include?("id=\"backtrace\"")

      [status, headers.to_a, bytes].inspect
    rescue Exception => e # rubocop:disable Lint/RescueException -- the program may raise any
      "raised #{error(e)}"
    end

    def error(error)
      error && [error.class, brief(error.message), error.cause&.class, trace(error.backtrace)].inspect
    end

    def log = @errors.string.lines.grep_v(FRAMEWORK).map { |line| brief(line.sub(/\A[\d-]+ [\d:]+ - |\[.*?\] (?=".* HTTP)/, "").sub(/ [\d.]+$/, "")) }.inspect

    def trace(lines) = lines&.grep_v(FRAMEWORK)&.map { |line| line.sub(%r{\A.*/}, "") }

    # Without the receiver of a NameError: the drop-in shortens that if it is an application.
    def brief(message) = message.sub(/(?<= for )#<.*/m, "#<…>:")

    def pick(list) = list[@random.rand(list.size)]
  end
end
