# frozen_string_literal: true

module RailsApp
  # Sends requests to an application, and writes down what can be seen of each.
  class Observer
    EVENTS = /\A(?:\w+\.(?:action_controller|action_dispatch|action_view|test)|sql\.active_record)\z/
    TIMES = { /in \d+(?:\.\d+)?ms/ => "in 0ms", /Allocations: \d+/ => "Allocations: 0", /\d+\.\d+ms/ => "0.0ms", /\d\d\d\d-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}/ => "TIME",
              /0x[0-9a-f]{8,}/ => "0xADDRESS", /RackMultipart\S+?\.txt/ => "UPLOAD", /_html_erb_\w+/ => "_TEMPLATE",
              /@object_id=\d+|\bexception_object_id\S*\d+/ => "ID" }.freeze
    # What a wrapper of ours and one of Rails' cannot have in common.
    FRAMES = %r{frugal/|action_dispatch/middleware/|action_controller/metal/|active_support/(?:notifications|callbacks)|tempfile_reaper}
    VOLATILE = /\A(?:set-cookie|x-runtime|etag)\z/i

    def initialize(app)
      @app = app
      @events = []
      @reports = []
    end

    # @param requests [Array] each: verb, path, options: "headers", "body", "settings" (of env_config),
    #   "exceptions_app" (:broken, :pass, :own), "watched"
    def see(requests)
      requests.map { |verb, path, options| one(verb, path, options || {}) }
    end

    private

    def one(verb, path, options)
      return count(environment(verb, path, options)) if options["count"]

      watch if options["watched"]
      clear
      seen = with(options) { answer(environment(verb, path, options)) }
      shorten_page(seen) if options.dig("settings", "show_detailed_exceptions")
      seen.merge("log" => log, "events" => @events.dup, "reports" => @reports.dup, "passed" => Recorder::SEEN.map { |name, error, trace| [name, told(error), first_frame(trace), app_frames(trace)] },
                 "items" => Item.count, "open uploads" => UPLOADS.count(&:path))
    end

    # A page for developers has the whole trace, so it differs in as many frames as others are at work.
    def shorten_page(seen)
      seen["body"] = seen["body"]&.split(/frame-source|\btraces|^Extracted/, 2)&.first
      seen["headers"]&.reject! { |name, _| name.casecmp?("content-length") }
    end

    # What it costs to answer, without what is seen of it.
    def count(env)
      raised = 0
      trace = TracePoint.new(:raise) { raised += 1 }
      trace.enable { read(@app.call(env).last) }
      GC.disable
      before = GC.stat(:total_allocated_objects)
      read(@app.call(env.dup).last)
      { "allocated" => GC.stat(:total_allocated_objects) - before, "raised" => raised }
    ensure
      GC.enable
    end

    def environment(verb, path, options)
      body = options["body"]
      env = Rack::MockRequest.env_for(path, method: verb, input: body.to_s)
      env.merge!("REMOTE_ADDR" => "127.0.0.1", "HTTP_HOST" => "shop.test", "HTTP_ACCEPT" => "text/html,*/*;q=0.8", "HTTP_X_REQUEST_ID" => "request-1")
      env.merge!(options.fetch("headers", {})).compact
    end

    def answer(env)
      status, headers, body = @app.call(env)
      text = read(body)
      { "status" => status, "headers" => headers.map { |name, value| [name, VOLATILE.match?(name) ? value.class.name : plain(value.to_s)] },
        "body" => text, "exception" => told(env["action_dispatch.exception"]), "env" => env.slice(*NOTED).transform_values(&:to_s),
        "frozen" => [headers.frozen?, body.respond_to?(:close)] }
    rescue Exception => e
      { "raised" => told(e), "env" => env.slice(*NOTED).transform_values(&:to_s) }
    end

    NOTED = %w[action_dispatch.report_exception action_dispatch.original_path action_dispatch.original_request_method PATH_INFO REQUEST_METHOD
               action_dispatch.show_detailed_exceptions].freeze

    def read(body)
      text = +""
      body.each { |part| text << part.b }
      plain(text)
    rescue StandardError => e
      "#{text} and then #{e.message}"
    ensure
      body.close if body.respond_to?(:close)
    end

    def with(options)
      settings = options.fetch("settings", {}).to_h { |name, value| ["action_dispatch.#{name}", value.is_a?(String) ? value.to_sym : value] }
      config = @app.env_config
      before = config.slice(*settings.keys)
      config.merge!(settings)
      shower = show_exceptions
      exceptions_app = shower.instance_variable_get(:@exceptions_app)
      shower.instance_variable_set(:@exceptions_app, EXCEPTIONS_APPS.fetch(options["exceptions_app"])) if options["exceptions_app"]
      shower.instance_variable_set(:@exceptions_app, @app.routes) if options["exceptions_app"] == "routes"
      I18n.with_locale(options.fetch("locale", :en)) { yield }
    ensure
      config.merge!(before)
      shower.instance_variable_set(:@exceptions_app, exceptions_app)
    end

    EXCEPTIONS_APPS = {
      "routes" => nil,
      "broken" => ->(_env) { raise "the error page is broken" },
      "pass" => ->(_env) { [404, { "X-Cascade" => "pass", "x-cascade" => "pass" }, []] },
      "own" => lambda { |env|
        error = env["action_dispatch.exception"]
        [env["PATH_INFO"][1..].to_i, { "content-type" => "text/plain" },
         ["#{error.class} #{error.message} #{error.backtrace&.first.to_s[/\w*exceptions.rb/] && "middleware"} #{error.backtrace_locations&.size.to_i > 5} #{env["action_dispatch.original_path"]}"]]
      }
    }.freeze

    def show_exceptions
      layer = @app.app
      layer = layer.instance_variable_get(:@app) until layer.instance_of?(ActionDispatch::ShowExceptions)
      layer
    end

    def watch
      return if @watched

      @watched = true
      ActiveSupport::Notifications.subscribe(EVENTS) { |event| @events << [event.name, *payload(event.payload)] }
      Rails.error.subscribe(self) if Rails.respond_to?(:error)
      ActionDispatch::DebugExceptions.register_interceptor { |request, error| @events << ["intercepted", request.path, told(error)] }
    end

    def payload(payload)
      [payload.keys.map(&:to_s), payload[:status], payload[:exception]&.map { |part| plain(part.to_s) }, told(payload[:exception_object]),
       payload[:exception_object].equal?($!)]
    end

    public def report(error, handled:, severity:, context:, source: nil)
      @reports << [told(error), handled, severity, source, context.keys.map(&:to_s)]
    end

    # Of a trace: where it begins, and all that is the application's.
    def told(error)
      return unless error

      [error.class.name, message(error), error.frozen?, first_frame(error.backtrace), app_frames(error.backtrace), told_cause(error),
       error.instance_variables.map(&:to_s)]
    end

    # What no route answers is raised by another method of ours.
    def first_frame(trace) = FRAMES.match?(trace&.first.to_s) ? "a middleware" : plain(trace&.first.to_s)

    def told_cause(error) = error.cause && [error.cause.class.name, message(error.cause)]

    def message(error)
      plain(error.message.to_s)
    rescue StandardError => e
      "message raises #{e.message}"
    end

    def app_frames(trace) = trace&.grep(%r{rails_app/app/})&.map { |frame| plain(frame) }

    def log = plain(LOG.string).lines.map { |line| line.sub(/\A(.*?):in .*\z/m, '\1') if FRAMES.match?(line) || line }.map { |line| FRAMES.match?(line.to_s) ? nil : line }.compact

    def plain(text)
      text = text.dup.force_encoding(Encoding::UTF_8).scrub { |bytes| "<#{bytes.unpack1("H*")}>" }
      TIMES.inject(text) { |result, (pattern, word)| result.gsub(pattern, word) }
    end

    def clear
      LOG.string = +""
      [@events, @reports, Recorder::SEEN, UPLOADS].each(&:clear)
      $stderr = StringIO.new
    end
  end
end
