# frozen_string_literal: true

require_relative "../http"
require_relative "../http/plain_message"
require_relative "../http/raise_sites"
require_relative "guard"
require_relative "replace"
require_relative "sinatra/brief"
require_relative "sinatra/routes"
require_relative "sinatra/base"

module Frugal
  module Dropin
    # Makes what a Sinatra application has not got, and what fails in it, no
    # dearer than its pages.
    #
    #   require "frugal/sinatra"
    #
    # Stock asks every route, raises an error anew at each route and filter that
    # it passes, and writes the trace of every error to the log, handled or not.
    #
    # Cost: an unknown path asks only the routes whose first segment is its own,
    # and those that begin with none; an error's trace is made when it is shown.
    module Sinatra
      # What the differential fuzzer and Sinatra's own suite are run against.
      KNOWN_VERSIONS = ("3.0".."4.2").freeze
      # The only one with other rules for an empty path.
      UNKNOWN_VERSION = "4.2.0"
      MUSTERMANN_VERSIONS = ("3.0".."3.1").freeze
      # What Mustermann makes of /.*/.
      ALL = "\\A(?-mix:.*)\\Z"
      HOOKS = %i[route! process_route dump_errors!].freeze
      METHOD = ::Kernel.instance_method(:method)
      private_constant :ALL, :HOOKS, :METHOD

      class << self
        # @return [String, nil] why this drop-in stands aside
        def guard
          return "it is known to pay under MRI alone" unless RUBY_ENGINE == "ruby"

          unknown_version || redefined || ("Sinatra::Base is frozen" if ::Sinatra::Base.frozen?)
        end

        # Patches the loaded Sinatra::Base.
        def install
          @sites = HTTP::RaiseSites.new
          @detailed = ::Exception.method_defined?(:detailed_message) && !Guard.version_in?(::Sinatra::VERSION, "3.0".."3.1")
          ::Sinatra::Base.set :frugal_trace_every, 1
          ::Sinatra::Base.include(Brief)
          Replace.methods(::Sinatra::Base, Base)
          @process_route = ::Sinatra::Base.instance_method(:process_route)
        end

        # Whether routes that cannot match need not be asked: nobody else looks on.
        def skips?(application)
          METHOD.bind_call(application, :process_route).owner.equal?(::Sinatra::Base) &&
            ::Sinatra::Base.instance_method(:process_route) == @process_route
        end

        # @return [Array(Routes, Array<Integer>), nil] nil where every route is to be asked
        def candidates(application, routes, path)
          index = Routes.of(routes) if skips?(application)
          candidates = index&.candidates(path)
          [index, candidates] if candidates
        end

        # Whether an error's trace is to be logged: each one under <tt>frugal run</tt>,
        # which changes nothing that anybody sees.
        def whole?(error, settings)
          every = settings.frugal_trace_every
          !(::Integer === every && every > 1) || HTTP.traces? || settings.show_exceptions? || @sites.whole?(error, every)
        end

        # What stock logs of an error without its trace, and without spelling help.
        def line(error)
          return "#{HTTP::PlainMessage.of(error)}:" unless @detailed

          message, *more = HTTP::PlainMessage.detailed(error).lines(chomp: true)
          message = message&.delete_suffix(" (#{error.class})") unless more.empty?
          ["#{message}:", *more].join("\n\t")
        end

        # Whether a pattern matches by nothing but Mustermann's own methods.
        def plain?(pattern) = pattern.instance_of?(::Mustermann::Sinatra) || pattern.instance_of?(::Mustermann::Regular)

        # Whether it is the pattern of a filter or an error block for all paths, and this is one.
        def always?(pattern, route)
          pattern.instance_of?(::Mustermann::Regular) && pattern.regexp.source == ALL && route.ascii_only? && !route.include?("\n")
        end

        private

        def unknown_version
          require "mustermann/version"
          sinatra, mustermann = ::Sinatra::VERSION, ::Mustermann::VERSION
          unless Guard.version_in?(sinatra, KNOWN_VERSIONS) && sinatra != UNKNOWN_VERSION
            return "Sinatra #{sinatra} is not known (3.0 to 4.2 are, but not #{UNKNOWN_VERSION})"
          end

          "Mustermann #{mustermann} is not known (3.0 and 3.1 are)" unless Guard.version_in?(mustermann, MUSTERMANN_VERSIONS)
        end

        def redefined
          folder = Guard.folder(::Sinatra::Base, :call!)
          hook = HOOKS.find { |name| folder.nil? || !Guard.pristine?(::Sinatra::Base, name, folder) }
          return "Sinatra::Base##{hook} was redefined" if hook

          folder = Guard.folder(::Mustermann::Pattern, :initialize)
          "Mustermann's params was redefined" unless Guard.pristine?(::Mustermann::Pattern, :params, folder)
        end
      end
    end
  end
end
