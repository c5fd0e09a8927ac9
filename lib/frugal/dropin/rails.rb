# frozen_string_literal: true

require_relative "../native"
require_relative "../http/raise_sites"
require_relative "../http/plain_message"
require_relative "guard"
require_relative "replace"
require_relative "rails/bypassed"
require_relative "rails/unwinding"
require_relative "rails/exception_wrapper"
require_relative "rails/exceptions"
require_relative "rails/rails70"
require_relative "rails/onlookers"

module Frugal
  module Dropin
    # Makes a Rails application answer an error for no more than it answers a page:
    # what is raised travels as with stock, but no re-raise on its way, no
    # wrapper and no line of the log turns its trace into strings.
    #
    #   gem "frugal", require: "frugal/rails"
    #
    # The trace below an error's line in the log, and spelling help in its message,
    # come for the first error of each raise site, then for each
    # <tt>config.frugal.trace_every</tt>-th; 1 is as stock.
    #
    # Cost: no system call of its own; allocations that do not depend on the stack's depth.
    module Rails
      # What Rails' own tests and the differential test are run against.
      KNOWN_VERSIONS = ("7.0".."8.1").freeze
      RAILS70 = ::Rails.respond_to?(:version) && ::Rails.version.start_with?("7.0.")
      # What a response says that leaves the path to others.
      X_CASCADE = RAILS70 ? "X-Cascade" : ::ActionDispatch::Constants::X_CASCADE
      # All that is replaced: where it is, its file, what is put in its place.
      REPLACED = [
        ["ActionController::Rescue", "/action_controller/metal/rescue.rb", Rescue],
        ["ActionController::Instrumentation", "/action_controller/metal/instrumentation.rb", Instrumentation],
        ["ActionDispatch::Callbacks", "/action_dispatch/middleware/callbacks.rb", Callbacks],
        ["ActionDispatch::ExceptionWrapper", "/action_dispatch/middleware/exception_wrapper.rb", ExceptionWrapper],
        ["ActionDispatch::DebugExceptions", "/action_dispatch/middleware/debug_exceptions.rb", RAILS70 ? Rails70::DebugExceptions : DebugExceptions],
        ["ActionDispatch::ShowExceptions", "/action_dispatch/middleware/show_exceptions.rb", ShowExceptions],
        ["ActionDispatch::ShowExceptions", "/action_dispatch/middleware/show_exceptions.rb", RAILS70 ? Rails70::Showing : Showing],
        ["ActionDispatch::PublicExceptions", "/action_dispatch/middleware/public_exceptions.rb", PublicExceptions]
      ]
      REPLACED << ["ActionDispatch::ExceptionWrapper", "/action_dispatch/middleware/exception_wrapper.rb", LazyBacktrace] unless RAILS70
      # Rack 2 does not rescue there.
      REPLACED << ["Rack::TempfileReaper", "/rack/tempfile_reaper.rb", TempfileReaper] unless ::Rack.release < "3"
      REPLACED.freeze
      DETAILED = "action_dispatch.show_detailed_exceptions"
      private_constant :DETAILED, :RAILS70, :X_CASCADE, :REPLACED

      class << self
        # @return [String, nil] why this drop-in stands aside
        def guard
          version = ::Rails::VERSION::STRING
          unless Guard.version_in?(version, KNOWN_VERSIONS)
            return "Rails #{version} is not known (#{KNOWN_VERSIONS.begin} to #{KNOWN_VERSIONS.end} are)"
          end

          return "developers see the errors (config.consider_all_requests_local)" if ::Rails.application&.config&.consider_all_requests_local

          changed = REPLACED.flat_map { |name, file, ours| redefined(::Object.const_get(name), file, ours) }.first
          "#{changed} was redefined" if changed
        end

        # Patches what handles errors.
        def install
          @sites = HTTP::RaiseSites.new
          @every = 1000
          REPLACED.each { |name, _, ours| Replace.methods(::Object.const_get(name), ours) }
        end

        # @param every [Integer] how seldom a trace is written after the first of its raise site
        # @raise [UsageError] for anything but a positive Integer
        def trace_every=(every)
          unless every.is_a?(::Integer) && every.positive?
            raise UsageError, "config.frugal.trace_every must be a positive Integer, and is #{every.inspect}"
          end

          @every = every
        end

        # @return [Boolean] whether the log is to have this one's trace
        def whole?(error) = @sites.whole?(error, @every)

        # @return [HTTP::RaiseSites] where errors were raised that the log has shown
        attr_reader :sites

        # @return [Boolean] whether Rails itself, from 7.1 on, lists the templates that a trace may go through
        def own_templates?
          registry = ::ActionView::PathRegistry
          pristine?(registry.method(:all_resolvers), registry.singleton_class, "/action_view/path_registry.rb")
        end

        # @return [Boolean] whether developers see this error's page
        def local?(request) = request.get_header(DETAILED)

        private

        # Those that are ours alone begin with frugal_; a program may have removed the others.
        def redefined(upstream, file, ours)
          names = (ours.instance_methods(false) + ours.private_instance_methods(false)).grep_v(/\Afrugal_/)
          names.reject { |name| upstreams?(upstream, name, file) }.map { |name| "#{upstream}##{name}" }
        end

        def upstreams?(upstream, name, file)
          pristine?(upstream.instance_method(name), upstream, file)
        rescue ::NameError
          false
        end

        def pristine?(method, upstream, file)
          method.owner.equal?(upstream) && method.source_location&.first.to_s.end_with?(file)
        end
      end
    end
  end
end
