# frozen_string_literal: true

require_relative "../constants"

# Loaded into each Ruby process of `frugal profile --by route`, through RUBYOPT. It puts a middleware around each
# application that Rack builds. The middleware tells the recorder which route the thread works on.
module Frugal
  module Profile
    # Names routes as `GET /posts/:id`: numbers, UUIDs and long hexadecimal words are parameters.
    class RouteAgent
      PARAMETER = %r{(?<=/)(?:\d+|\h{8}-\h{4}-\h{4}-\h{4}-\h{12}|\h{16,})(?=/|\z)}
      MARK = "frugal.profile.route"
      private_constant :PARAMETER, :MARK

      # @param env [Hash] of Rack
      # @return [String]
      def self.route(env)
        "#{env["REQUEST_METHOD"]} #{env["SCRIPT_NAME"]}#{env["PATH_INFO"]}".b.gsub(PARAMETER, ":id").delete("\0")
      end

      # @param app [#call]
      def initialize(app)
        @app = app
      end

      # @param env [Hash] of Rack
      # @return [Array] the application's response
      def call(env)
        return @app.call(env) if env.key?(MARK)

        begin
          Frugal::Recorder.group = env[MARK] = route = self.class.route(env)
          Frugal::Recorder.mark(route)
          @app.call(env)
        ensure
          Frugal::Recorder.group = ""
        end
      end

      # Around the application of each Rack::Builder, also of those that are nested.
      module Builder
        # @return [#call]
        def to_app = RouteAgent.new(super)
      end

      # Waits for Rack without loading it.
      #
      # @return [void]
      def self.wait
        waiting = TracePoint.new(:script_compiled) { waiting.disable if install }
        waiting.enable unless install
      end

      # @return [Boolean] whether Rack::Builder is there
      def self.install
        builder = Constants.loaded("Rack::Builder")
        return false unless builder&.method_defined?(:to_app)

        builder.prepend(Builder) unless builder < Builder
        true
      end
    end
  end
end

begin
  abi = "#{RUBY_ENGINE}-#{RUBY_VERSION[/\A\d+\.\d+/]}-#{RUBY_PLATFORM}"
  require File.expand_path("../native/#{abi}/recorder.so", __dir__)
  Frugal::Profile::RouteAgent.wait
rescue LoadError
  nil # another Ruby, for which nothing is compiled: its requests have no route
end
