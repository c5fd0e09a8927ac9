# frozen_string_literal: true

require_relative "../http"
require_relative "../http/undecorated_message"
require_relative "../http/raise_sites"
require_relative "guard"
require_relative "replace"
require_relative "sinatra/short_inspect"
require_relative "sinatra/routes"
require_relative "sinatra/base"

module Frugal
  module Dropin
    # Makes unknown paths and errors of a Sinatra application as cheap as its pages.
    #
    #   require "frugal/sinatra"
    #
    # Stock tries every route, raises an error again at each route and filter that it
    # passes, and logs the backtrace of every error, handled or not.
    #
    # *Cost*: an unknown path is matched only with the routes that begin with its first segment,
    # and with those whose first segment is not fixed; a backtrace is made only when it is shown.
    module Sinatra
      # The versions that the differential fuzzer and Sinatra's own tests are run with.
      MUSTERMANN_VERSIONS = ("3.0".."3.1")
      # The source of the regular expression that Mustermann makes of /.*/.
      ALL = "\\A(?-mix:.*)\\Z"
      HOOKS = %i[route! process_route dump_errors!].freeze
      METHOD = ::Kernel.instance_method(:method)
      private_constant :ALL, :HOOKS, :METHOD

      class << self
        # @return [String, nil] why this drop-in stands aside
        def guard
          return "it is faster under MRI only" unless Platform::MRI

          unknown_mustermann || redefined || ("Sinatra::Base is frozen" if ::Sinatra::Base.frozen?)
        end

        # Patches the loaded Sinatra::Base.
        def install
          @sites = HTTP::RaiseSites.new
          @detailed = ::Exception.method_defined?(:detailed_message) &&
                      !Guard.version_in?(::Sinatra::VERSION, "3.0".."3.1")
          ::Sinatra::Base.set :frugal_trace_every, 1
          ::Sinatra::Base.include(ShortInspect)
          Replace.methods(::Sinatra::Base, Base)
          @process_route = ::Sinatra::Base.instance_method(:process_route)
        end

        # Reports whether routes that cannot match may be skipped: they may not if process_route is overridden.
        def skip_routes?(application)
          METHOD.bind_call(application, :process_route).owner.equal?(::Sinatra::Base) &&
            ::Sinatra::Base.instance_method(:process_route) == @process_route
        end

        # @return [Array(Routes, Array<Integer>), nil] nil if every route must be tried
        def candidates(application, routes, path)
          index = Routes.of(routes) if skip_routes?(application)
          candidates = index&.candidates(path)
          [index, candidates] if candidates
        end

        # Reports whether an error is to be logged with its backtrace. Under <tt>frugal run</tt> every error is,
        # because <tt>frugal run</tt> must not change any output.
        def log_trace?(error, settings)
          every = settings.frugal_trace_every
          !(::Integer === every && every > 1) || HTTP.traces? || settings.show_exceptions? ||
            @sites.log_trace?(error, every)
        end

        # The message that stock logs for an error, without backtrace and spelling suggestions.
        def line(error)
          return "#{HTTP::UndecoratedMessage.of(error)}:" unless @detailed

          message, *more = HTTP::UndecoratedMessage.detailed(error).lines(chomp: true)
          message = message&.delete_suffix(" (#{error.class})") unless more.empty?
          ["#{message}:", *more].join("\n\t")
        end

        # Reports whether only Mustermann's own methods match this pattern.
        def mustermanns_own?(pattern)
          pattern.instance_of?(::Mustermann::Sinatra) || pattern.instance_of?(::Mustermann::Regular)
        end

        # Reports whether this is the pattern of a filter or an error block for all paths, and matches this path.
        def matches_all?(pattern, route)
          pattern.instance_of?(::Mustermann::Regular) && pattern.regexp.source == ALL &&
            route.ascii_only? && !route.include?("\n")
        end

        private

        def unknown_mustermann
          require "mustermann/version"
          Guard.unknown_version("Mustermann", ::Mustermann::VERSION, MUSTERMANN_VERSIONS)
        end

        def redefined
          Guard.redefined(::Sinatra::Base, HOOKS, Guard.folder(::Sinatra::Base, :call!)) ||
            Guard.redefined(::Mustermann::Pattern, %i[params], Guard.folder(::Mustermann::Pattern, :initialize))
        end
      end
    end
  end
end
