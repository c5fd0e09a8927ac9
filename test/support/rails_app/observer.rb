# frozen_string_literal: true

module RailsApp
  # Sends requests to an application, and records everything that can be observed of each.
  class Observer
    EVENTS = /\A(?:\w+\.(?:action_controller|action_dispatch|action_view|test)|sql\.active_record)\z/
    # What differs between two runs of stock.
    TIMES = { /in \d+(?:\.\d+)?ms/ => "in 0ms", /Allocations: \d+/ => "Allocations: 0", /\d+\.\d+ms/ => "0.0ms",
              /\d\d\d\d-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}/ => "TIME",
              /0x[0-9a-f]{8,}/ => "0xADDRESS", /RackMultipart\S+?\.txt/ => "UPLOAD", /_html_erb_\w+/ => "_TEMPLATE",
              /@object_id=\d+|\bexception_object_id\S*\d+/ => "ID" }.freeze
    # Frames that differ between the drop-in's methods and Rails' own.
    FRAMES = %r{frugal/|action_dispatch/middleware/|action_controller/metal/|
                active_support/(?:notifications|callbacks)|tempfile_reaper}x
    VOLATILE = /\A(?:set-cookie|x-runtime|etag)\z/i

    def initialize(app)
      @app = app
      @events = []
      @reports = []
    end

    # @param requests [Array<Array>] each with a verb, a path and options: "headers", "body", "locale", "settings" (of
    #   env_config), "exceptions_app" ("broken", "pass", "own", "routes"), "watched": with subscribers, a
    #   reporter and an interceptor; "count": count objects and exceptions, and observe nothing else
    # @return [Array<Hash>] what was observed of each request
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
      seen.merge("log" => log, "events" => @events.dup, "reports" => @reports.dup, "passed" => passed,
                 "items" => Item.count, "open uploads" => UPLOADS.count(&:path))
    end

    def passed
      Recorder::SEEN.map { |name, error, trace| [name, details(error), first_frame(trace), app_frames(trace)] }
    end

    # A page for developers has the full backtrace, which has other frames with the drop-in.
    def shorten_page(seen)
      seen["body"] = seen["body"]&.split(/frame-source|\btraces|^Extracted/, 2)&.first
      seen["headers"]&.reject! { |name, _| name.casecmp?("content-length") }
    end

    # The objects and exceptions of a request.
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
      env.merge!("REMOTE_ADDR" => "127.0.0.1", "HTTP_HOST" => "shop.test", "HTTP_ACCEPT" => "text/html,*/*;q=0.8",
                 "HTTP_X_REQUEST_ID" => "request-1")
      env.merge!(options.fetch("headers", {})).compact
    end

    def answer(env)
      status, headers, body = @app.call(env)
      text = read(body)
      fields = headers.map { |name, value| [name, VOLATILE.match?(name) ? value.class.name : normalized(value.to_s)] }
      { "status" => status, "headers" => fields, "body" => text,
        "exception" => details(env["action_dispatch.exception"]), "env" => env.slice(*NOTED).transform_values(&:to_s),
        "frozen" => [headers.frozen?, body.respond_to?(:close)] }
    rescue Exception => e # rubocop:disable Lint/RescueException -- recorded
      { "raised" => details(e), "env" => env.slice(*NOTED).transform_values(&:to_s) }
    end

    NOTED = %w[action_dispatch.report_exception action_dispatch.original_path action_dispatch.original_request_method
               PATH_INFO REQUEST_METHOD action_dispatch.show_detailed_exceptions].freeze

    def read(body)
      text = +""
      body.each { |part| text << part.b }
      normalized(text)
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
        middleware = "middleware" if error.backtrace&.first.to_s[/\w*exceptions.rb/]
        deep = error.backtrace_locations&.size.to_i > 5
        [env["PATH_INFO"][1..].to_i, { "content-type" => "text/plain" },
         ["#{error.class} #{error.message} #{middleware} #{deep} #{env["action_dispatch.original_path"]}"]]
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
      ActionDispatch::DebugExceptions.register_interceptor do |request, error|
        @events << ["intercepted", request.path, details(error)]
      end
    end

    def payload(payload)
      [payload.keys.map(&:to_s), payload[:status], payload[:exception]&.map { |part| normalized(part.to_s) },
       details(payload[:exception_object]), payload[:exception_object].equal?($!)]
    end

    public def report(error, handled:, severity:, context:, source: nil)
      @reports << [details(error), handled, severity, source, context.keys.map(&:to_s)]
    end

    # Of an exception's backtrace: the first frame, and all frames of the application.
    def details(error)
      return unless error

      [error.class.name, message(error), error.frozen?, first_frame(error.backtrace), app_frames(error.backtrace),
       cause_details(error), error.instance_variables.map(&:to_s)]
    end

    # The error of an unknown route is raised by another method with the drop-in.
    def first_frame(trace) = FRAMES.match?(trace&.first.to_s) ? "a middleware" : normalized(trace&.first.to_s)

    def cause_details(error) = error.cause && [error.cause.class.name, message(error.cause)]

    def message(error)
      normalized(error.message.to_s)
    rescue StandardError => e
      "message raises #{e.message}"
    end

    def app_frames(trace) = trace&.grep(%r{rails_app/app/})&.map { |frame| normalized(frame) }

    # Without the method of a frame, because Ruby versions name it differently.
    def log = normalized(LOG.string).lines.map { |line| line.sub(/\A(.*?):in .*\z/m, '\1') }.grep_v(FRAMES)

    def normalized(text)
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
