# frozen_string_literal: true

require_relative "../../dropin"
require_relative "../../http"

module Frugal
  # Adds frugal's settings to a Rails application, and turns two drop-ins on when the application has booted: the one
  # for errors, and where code is reloaded, the one for the file checkers.
  #
  #   config.frugal.trace_every = 1        # log every backtrace, as stock does
  #   config.frugal.route_check = true     # answer unknown paths with 404 before any middleware is called
  class Railtie < ::Rails::Railtie
    config.frugal = ::ActiveSupport::OrderedOptions.new
    config.frugal.trace_every = 1000
    config.frugal.route_check = false

    initializer "frugal.route_check", after: :load_config_initializers, before: :build_middleware_stack do |app|
      check = app.config.frugal.route_check
      if check && Dropin::Switch.off(:rails).nil?
        require_relative "route_check"
        Dropin::Rails::Engine.install
        app.config.middleware.insert 0, Dropin::Rails::RouteCheck, app, check == true ? [] : Array(check)
      end
    end

    # Gives an error of Frugal.halt its status in the log and, without a Responder, in the response.
    initializer "frugal.http_errors", before: "action_dispatch.configure" do |app|
      statuses = HTTP::Statuses::REASONS.to_h { |status, _| [HTTPError[status].name, status] }
      app.config.action_dispatch.rescue_responses = statuses.merge(app.config.action_dispatch.rescue_responses)
    end

    # Whether Rails checks its files before each request, with its own class.
    def self.checks_files?(config)
      reloads = config.respond_to?(:reloading_enabled?) ? config.reloading_enabled? : !config.cache_classes
      reloads && Constants.loaded("ActiveSupport::FileUpdateChecker").equal?(config.file_watcher)
    end
    private_class_method :checks_files?

    # After the initializers, so that the guard sees what they have changed.
    config.after_initialize do |app|
      Dropin::Rails.trace_every = app.config.frugal.trace_every if Dropin.enable(:rails) == :on
      Dropin.enable(:file_update_checker) if checks_files?(app.config)
    end
  end
end
