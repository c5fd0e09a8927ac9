# frozen_string_literal: true

class Gone < StandardError; end
class Handled < StandardError; end
class Reraised < StandardError; end
class Fatal < Exception; end # rubocop:disable Lint/InheritException

class BadMessage < StandardError
  def message = raise("no message")
end

class NilMessage < StandardError
  def message = nil
end

# +raise+ calls +exception+ and raises what it returns.
class Copying < StandardError
  def exception(*) = @copy ||= dup
end

# Ruby itself makes no circle of causes, but a class can.
class Circular < StandardError
  attr_writer :cause

  def cause = @cause || self
end

# Overrides what is usually called to recognize an exception.
class Denying < StandardError
  def is_a?(*) = false
  def equal?(*) = false
end

# Records each exception that passes it, as error reporters do, and raises it again.
class Recorder
  SEEN = []

  def initialize(app, name) = (@app, @name = app, name)

  def call(env)
    @app.call(env)
  rescue Exception => e # rubocop:disable Lint/RescueException -- raised again
    SEEN << [@name, e, e.backtrace]
    raise
  end
end

# Catches :halt.
class Catcher
  def initialize(app) = @app = app
  def call(env) = catch(:halt) { @app.call(env) }
end

UPLOADS = []

module RailsApp
  # A mounted application.
  MOUNTED = lambda do |env|
    case env["PATH_INFO"]
    when "/pass" then [404, { (Rack.release < "3" ? "X-Cascade" : "x-cascade") => "pass" }, ["passed"]]
    when "/raise" then raise Gone, "mounted"
    when "/own" then [404, { "content-type" => "text/plain" }, ["own"]]
    else [200, { "content-type" => "text/plain" }, ["mounted #{env["PATH_INFO"]}"]]
    end
  end

  ACTIONS = %w[gone missing_method missing_on_nil key constant record record_in_block handled handled_cause reraised caused around around_ensure
               around_rescue after halted template_500 template_404 partial syntax no_template two_renders script_error fatal own_exception
               bad_message nil_message denying latin1 lines frozen no_trace own_trace anonymous thrown uncaught required xml_only retried
               flash_and_session headers_set deep_error transaction nested inner reported stream self_caused ring].freeze

  class << self
    # @param run [Hash] the settings: "frugal": with the drop-in; "trace_every" and "route_check": its settings;
    #   "between": [[middleware, name], …], a Recorder of this name after each middleware; "lazy": without eager
    #   loading; "local": developers see the errors; "change": code that runs before the application is
    #   initialized; "env"; "log_level"; "tags": with log tags; "state": report the drop-in's state only
    # @return [Rails::Application]
    def boot(run)
      ENV.update(run.fetch("env", {}))
      require File.join(run.fetch("lib"), "frugal/rails") if run["frugal"]
      app = define(run)
      eval(run["change"]) if run["change"] # rubocop:disable Security/Eval
      app.initialize!
      raise "the drop-in is #{state}" unless !run["frugal"] || run["state"] || state == "on: "

      draw(app)
      prepare
      app
    end

    # @return [String] the drop-in's state and the reason
    def state = Frugal::Dropin.status.find { |one| one.name == :rails }.then { |one| "#{one.state}: #{one.reason}" }

    private

    def define(run)
      Class.new(Rails::Application) do
        def self.name = "Shop"
        config.root = __dir__
        config.load_defaults Rails::VERSION::STRING.to_f
        config.cache_classes = true
        config.eager_load = !run["lazy"]
        config.consider_all_requests_local = run["local"]
        config.secret_key_base = "x" * 64
        config.hosts.clear
        config.i18n.available_locales = %i[en de]
        config.log_level = run.fetch("log_level", "info").to_sym
        config.logger = ActiveSupport::TaggedLogging.new(ActiveSupport::Logger.new(LOG))
        config.log_tags = [:request_id] if run["tags"]
        config.active_support.deprecation = :silence
        config.active_record.maintain_test_schema = false
        config.action_dispatch.rescue_responses["Gone"] = :not_found
        config.middleware.use Catcher
        run.fetch("between", []).each { |place, name| config.middleware.insert_after place.constantize, Recorder, name }
        config.frugal.trace_every = run.fetch("trace_every", 1) if run["frugal"]
        config.frugal.route_check = run["route_check"] if run["frugal"] && run["route_check"]
      end
    end

    def prepare
      ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
      ActiveRecord::Schema.verbose = false
      ActiveRecord::Schema.define { create_table(:items) { |table| table.string :name } }
      Item.first
    end

    def draw(app)
      app.routes.draw do
        get "/" => "pages#index"
        get "/page" => "pages#index"
        get "/404" => "pages#index" # for the routes as exceptions application; /500 raises again
        get "/500" => "errors#gone"
        get "/absent" => "pages#absent"
        get "/unknown_action" => "errors#nowhere"
        get "/unknown_controller" => "nobody#index"
        post "/upload" => "errors#upload"
        post "/forgery" => "errors#forgery"
        post "/posted" => "errors#halted"
        ACTIONS.each { |action| match "/#{action}" => "errors##{action}", via: %i[get post] }
        mount MOUNTED => "/mounted"
        get "/redirected" => redirect("/page")
        get "/digits/:id" => "pages#index", constraints: { id: /\d+/ }
        resources :items, only: %i[show], controller: "pages"
        scope("/admin") { get "/raise" => "errors#gone" }
      end
    end
  end

  LOG = StringIO.new
end
