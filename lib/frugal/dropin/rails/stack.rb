# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # Who else could look at the exception of a path that no route answers.
      # Rails' and Rack's own middleware does not, so that it need not be raised there.
      module Stack
        KNOWN = %w[
          ActionDispatch::HostAuthorization ActionDispatch::AssumeSSL ActionDispatch::SSL Rack::Sendfile ActionDispatch::Static Rack::Lock
          ActionDispatch::Executor ActionDispatch::ServerTiming Rack::Runtime Rack::MethodOverride ActionDispatch::RequestId
          ActionDispatch::RemoteIp Rails::Rack::Logger Rails::Rack::SilenceRequest Propshaft::Server Rack::Deflater
          Frugal::Dropin::Rails::RouteCheck
        ].freeze
      end

      class << self
        # @param shower [ActionDispatch::ShowExceptions]
        # @return [Boolean] whether somebody may want to see where it was raised
        def onlookers?(shower, env)
          @strangers = strangers?(shower) if !defined?(@strangers) || !@shower.equal?(shower)
          @strangers || !shower.frugal_exceptions_app.instance_of?(::ActionDispatch::PublicExceptions) ||
            !::ActionDispatch::DebugExceptions.interceptors.empty? || env[DETAILED] || foreign_subscribers?("request.action_dispatch")
        end

        private

        def strangers?(shower)
          layer = (@shower = shower) && ::Rails.application&.app
          while layer && !layer.equal?(shower)
            return true unless Stack::KNOWN.include?(layer.class.name)

            layer = layer.instance_variable_get(:@app)
          end
          layer.nil?
        end

        # Those of Rails look at the request, and not at its exception.
        def foreign_subscribers?(name)
          listeners = ::ActiveSupport::Notifications.notifier.all_listeners_for(name)
          return @foreign if listeners.equal?(@listeners)

          @foreign = listeners.any? { |one| !OWN_SUBSCRIBERS.include?(one.delegate.class.name) }
          @listeners = listeners
          @foreign
        end
        OWN_SUBSCRIBERS = %w[ActionDispatch::LogSubscriber Rails::Rack::Logger].freeze
      end
    end
  end
end
