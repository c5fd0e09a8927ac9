# frozen_string_literal: true

require_relative "../native"
require_relative "../http/raise_sites"
require_relative "../http/undecorated_message"
require_relative "guard"
require_relative "replace"
require_relative "rails/overridden"
require_relative "rails/reraise"
require_relative "rails/observers"
require_relative "rails/rescue"
require_relative "rails/instrumentation"
require_relative "rails/callbacks"
require_relative "rails/exception_wrapper"
require_relative "rails/debug_exceptions"
require_relative "rails/show_exceptions"
require_relative "rails/public_exceptions"
require_relative "rails/tempfile_reaper"

module Frugal
  module Dropin
    # Makes an error of a Rails application as cheap as a page. Exceptions are raised as with stock,
    # but nothing raises them again on the way, and neither a wrapper nor the log renders a backtrace
    # that is not shown.
    #
    #   gem "frugal", require: "frugal/rails"
    #
    # The log shows the backtrace of an error, and spelling suggestions in its message, for the first
    # error of each raise site, and then for every <tt>config.frugal.trace_every</tt>-th error;
    # 1 logs all of them, as stock does.
    #
    # rails/ has one file for each file of Action Pack or Rack that is patched, with the same name. Beside
    # these are observers.rb, overridden.rb and reraise.rb, which they share, and the
    # optional middleware in route_check.rb.
    #
    # *Cost*: no additional system call; the number of allocations does not depend on the depth of the stack.
    module Rails
      RAILS70 = ::Rails.respond_to?(:version) && ::Rails.version.start_with?("7.0.")
      # The response header that passes a request on to other routes.
      X_CASCADE = RAILS70 ? "X-Cascade" : ::ActionDispatch::Constants::X_CASCADE
      # All replaced methods: upstream's module, the end of its file's path, the module with ours.
      REPLACED = [
        ["ActionController::Rescue", "/action_controller/metal/rescue.rb", Rescue],
        ["ActionController::Instrumentation", "/action_controller/metal/instrumentation.rb", Instrumentation],
        ["ActionDispatch::Callbacks", "/action_dispatch/middleware/callbacks.rb", Callbacks],
        ["ActionDispatch::ExceptionWrapper", "/action_dispatch/middleware/exception_wrapper.rb", ExceptionWrapper],
        ["ActionDispatch::DebugExceptions", "/action_dispatch/middleware/debug_exceptions.rb",
         RAILS70 ? DebugExceptions::Rails70 : DebugExceptions],
        ["ActionDispatch::ShowExceptions", "/action_dispatch/middleware/show_exceptions.rb", ShowExceptions],
        ["ActionDispatch::ShowExceptions", "/action_dispatch/middleware/show_exceptions.rb",
         RAILS70 ? ShowExceptions::Rails70 : ShowExceptions::Rails71],
        ["ActionDispatch::PublicExceptions", "/action_dispatch/middleware/public_exceptions.rb", PublicExceptions],
        *(unless RAILS70
            [["ActionDispatch::ExceptionWrapper", "/action_dispatch/middleware/exception_wrapper.rb",
              ExceptionWrapper::Rails71]]
          end),
        # Rack 2 does not rescue there.
        *([["Rack::TempfileReaper", "/rack/tempfile_reaper.rb", TempfileReaper]] unless ::Rack.release < "3")
      ].freeze
      DETAILED = "action_dispatch.show_detailed_exceptions"
      private_constant :DETAILED, :RAILS70, :X_CASCADE, :REPLACED

      class << self
        # @return [String, nil] why this drop-in stands aside
        def guard
          if ::Rails.application&.config&.consider_all_requests_local
            return "developers see the errors (config.consider_all_requests_local)"
          end

          REPLACED.each do |name, file, ours|
            reason = redefined(::Object.const_get(name), file, ours)
            return reason if reason
          end
          nil
        end

        # Replaces the methods that handle exceptions.
        def install
          @sites = HTTP::RaiseSites.new
          @every = 1000
          REPLACED.each { |name, _, ours| Replace.methods(::Object.const_get(name), ours) }
        end

        # @param every [Integer] of the later errors of a raise site, every n-th is logged with its backtrace
        # @raise [UsageError] for anything but a positive Integer
        def trace_every=(every)
          unless every.is_a?(::Integer) && every.positive?
            raise UsageError, "config.frugal.trace_every must be a positive Integer (got #{every.inspect})"
          end

          @every = every
        end

        # @return [Boolean] whether this error is to be logged with its backtrace
        def log_trace?(error, site) = @sites.log_trace?(error, @every, site: site)

        # @return [HTTP::RaiseSites] the places whose errors have been logged
        attr_reader :sites

        # @return [Boolean] whether Rails' own method lists the templates of a backtrace; from 7.1 on
        def lists_templates?
          registry = ::ActionView::PathRegistry.singleton_class
          method = registry.instance_method(:all_resolvers)
          return true if method == @all_resolvers

          own = Guard.pristine?(registry, :all_resolvers, file: "/action_view/path_registry.rb")
          @all_resolvers = method if own
          own
        end

        # @return [Boolean] whether this request's error is shown with the page for developers
        def detailed?(request) = request.get_header(DETAILED)

        private

        # Methods that begin with frugal_ have no counterpart upstream.
        def redefined(upstream, file, ours)
          names = (ours.instance_methods(false) + ours.private_instance_methods(false)).grep_v(/\Afrugal_/)
          Guard.redefined(upstream, names, file: file)
        end
      end
    end
  end
end
