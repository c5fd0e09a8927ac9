# frozen_string_literal: true

# An application in Puma, in a process of its own: it serves one port, and its
# standard input asks what that cost (see ../support/guest_process.rb):
#
#   ERRORS_BENCH=stock|frugal ruby bench/errors/guest.rb bench/errors/apps/puma.ru
require "stringio"
require_relative "../support/guest"

module Frugal
  module ErrorsBench
    # What the library of this checkout needs no -I for.
    LIB = File.expand_path("../../lib", __dir__)

    # Counts the connections that a listening socket accepts, and nothing for requests.
    module CountsConnections
      def connections = @connections.to_i

      def accept_nonblock(...)
        super.tap { |socket| @connections = connections + 1 if socket.is_a?(IO) }
      end
    end

    # Its public methods but +serve+ are the requests.
    class Guest < Bench::Guest
      VERSIONS = { "puma" => "Puma::Const::VERSION", "rack" => "Rack::RELEASE", "rails" => "Rails::VERSION::STRING",
                   "sinatra" => "Sinatra::VERSION" }.freeze
      BATCH = 100 # requests, at most, between two looks at the clock
      PATIENCE = 5.0 # seconds until the last requests are answered

      # @param app [String] a rackup file
      def initialize(app)
        super()
        @app_file = app
      end

      # @return [Array(Integer, Hash{String => String})] the port, and versions of gems
      # @raise [Missing] where a gem or a part of frugal is not here
      def boot
        $LOAD_PATH.unshift(LIB)
        require "puma"
        require "puma/server"
        require "rack"
        @null = File.open(File::NULL, "w")
        @app = [Rack::Builder.parse_file(@app_file)].flatten.first
        installed
        [listen, VERSIONS.to_h { |name, constant| [name, (Object.const_get(constant) if Object.const_defined?(constant))] }.compact]
      rescue LoadError => error
        raise Missing, error.message
      end

      # In this thread, without a server: requests that are made beforehand, bodies
      # that are read and closed.
      #
      # @param path [String]
      # @param seconds [Float] of processor time, at least
      # @return [Array(Float, Float)] seconds and objects of one request, of the latter
      #   the fewest: threads of the server make some now and then
      def inside(path, seconds)
        count = 0
        spent = 0.0
        size = 1
        fewest = Float::INFINITY
        while spent < seconds
          time, objects = batch(Array.new(size) { request(path) })
          spent += time
          count += size
          fewest = [fewest, objects.fdiv(size)].min
          size = [size * 2, BATCH].min
        end
        [spent / count, fewest]
      end

      # Once all that was asked for is answered.
      #
      # @return [Array(Float, Integer, Integer)] seconds of processor time, requests
      #   and connections until now
      def usage
        settle
        [Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID), @server.requests_count, @listener.connections]
      end

      private

      # @raise [RuntimeError] where what should have a drop-in is stock
      def installed
        return if ENV.fetch("ERRORS_BENCH") == "stock" || !defined?(Dropin)

        drop_in = Dropin.status.find { |one| one.name.to_s == File.basename(@app_file, ".ru") } or return
        drop_in.state == :on or raise "the drop-in is #{drop_in.state}: #{drop_in.reason}"
      end

      def listen
        log = Puma::LogWriter.new(@null, @null)
        @server = Puma::Server.new(@app, nil, { log_writer: log, environment: "production" })
        @listener = @server.add_tcp_listener("127.0.0.1", 0)
        @listener.singleton_class.prepend(CountsConnections)
        @server.run
        @listener.addr[1]
      end

      def batch(requests)
        objects = GC.stat(:total_allocated_objects)
        started = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
        requests.each do |env|
          body = @app.call(env).last
          body.each(&:itself)
          body.close if body.respond_to?(:close)
        end
        ended = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
        [ended - started, GC.stat(:total_allocated_objects) - objects]
      end

      # As Puma has it for a GET without headers but Host.
      def request(path)
        { "rack.url_scheme" => "http", "rack.input" => StringIO.new, "rack.errors" => @null, "rack.hijack?" => false,
          "SCRIPT_NAME" => +"", "PATH_INFO" => path.dup, "QUERY_STRING" => +"", "REQUEST_METHOD" => "GET", "REQUEST_PATH" => path.dup,
          "REQUEST_URI" => path.dup, "SERVER_PROTOCOL" => "HTTP/1.1", "HTTP_VERSION" => "HTTP/1.1", "SERVER_NAME" => "127.0.0.1",
          "SERVER_PORT" => "80", "HTTP_HOST" => "127.0.0.1", "REMOTE_ADDR" => "127.0.0.1", "SERVER_SOFTWARE" => "puma" }
      end

      def settle
        limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + PATIENCE
        sleep 0.001 until idle? || Process.clock_gettime(Process::CLOCK_MONOTONIC) > limit
      end

      def idle? = @server.stats.then { |stats| stats[:backlog].zero? && stats[:pool_capacity] == stats[:max_threads] }
    end
  end
end

Frugal::ErrorsBench::Guest.new(*ARGV).serve
