# frozen_string_literal: true

require_relative "../../dropin"
require_relative "../../http"

module Frugal
  # What a Rails application loads: its settings, and when the drop-in comes.
  #
  #   config.frugal.trace_every = 1        # every trace is written, as stock does
  #   config.frugal.route_check = true     # refuse what nothing answers before any middleware is asked
  class Railtie < ::Rails::Railtie
    config.frugal = ::ActiveSupport::OrderedOptions.new
    config.frugal.trace_every = 1000
    config.frugal.route_check = false

    initializer "frugal.route_check", after: :load_config_initializers, before: :build_middleware_stack do |app|
      check = app.config.frugal.route_check
      if check && Dropin::Switch.off(:rails).nil?
        require_relative "route_check"
        app.config.middleware.insert 0, Dropin::Rails::RouteCheck, app, check == true ? [] : Array(check)
      end
    end

    # What Frugal.halt raised has its status in the log, and where no Responder answers it, in the answer.
    initializer "frugal.http_errors", before: "action_dispatch.configure" do |app|
      statuses = HTTP::Statuses::REASONS.to_h { |status, _| [HTTPError[status].name, status] }
      app.config.action_dispatch.rescue_responses = statuses.merge(app.config.action_dispatch.rescue_responses)
    end

    # All that initializers change is changed by now, and the guard sees it.
    config.after_initialize do |app|
      if Dropin.enable(:rails) == :on
        Dropin::Rails.trace_every = app.config.frugal.trace_every
      end
    end
  end
end
