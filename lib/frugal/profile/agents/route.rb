# frozen_string_literal: true

# The agent of `frugal profile --by route` (see base.rb). It puts a middleware around each application that Rack builds.
# The middleware reports to the recorder the route that the thread works on.
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
          env[MARK] = route = self.class.route(env)
          Agent.recorder.group(route)
          Agent.recorder.mark(route)
          @app.call(env)
        ensure
          Agent.recorder.group("")
        end
      end

      # Wraps the application of each Rack::Builder, also of nested ones.
      module Builder
        # @return [#call]
        def to_app = RouteAgent.new(super)
      end

      # @return [Boolean] whether Rack::Builder is loaded
      def self.install
        builder = Agent.loaded(:Rack, :Builder)
        return false unless builder&.method_defined?(:to_app)

        builder.prepend(Builder) unless builder < Builder
        true
      end
    end
  end
end

Frugal::Profile::Agent.wait { Frugal::Profile::RouteAgent.install }
