# frozen_string_literal: true

# A process that serves an application on a port, by Puma. The benchmark asks for its
# costs over standard input (see ../support/worker_process.rb):
#
#   ERRORS_BENCH=stock|frugal ruby bench/errors/worker.rb bench/errors/apps/puma.ru
require "stringio"
require_relative "../support/worker"

module Frugal
  module ErrorsBench
    # The library of this checkout.
    LIB = File.expand_path("../../lib", __dir__)

    # Counts the connections that a listening socket accepts. A request costs nothing more by that.
    module CountsConnections
      def connections = @connections.to_i

      def accept_nonblock(...)
        super.tap { |socket| @connections = connections + 1 if socket.is_a?(IO) }
      end
    end

    # Its public methods, except `serve`, are the requests that it answers.
    class Worker < Bench::Worker
      VERSIONS = { "puma" => "Puma::Const::VERSION", "rack" => "Rack::RELEASE", "rails" => "Rails::VERSION::STRING",
                   "sinatra" => "Sinatra::VERSION" }.freeze
      MAX_BATCH = 100 # requests between two readings of the clock
      PATIENCE = 5.0 # seconds to wait until the last requests are answered

      # @param app [String] a rackup file
      def initialize(app)
        super()
        @app_file = app
      end

      # @return [Array(Integer, Hash{String => String})] the port, and the versions of the gems
      # @raise [Missing] when a gem or a part of frugal is missing
      def boot
        $LOAD_PATH.unshift(LIB)
        require "puma"
        require "puma/server"
        require "rack"
        @null = File.open(File::NULL, "w")
        @app = [Rack::Builder.parse_file(@app_file)].flatten.first
        check_drop_in
        [listen, versions]
      rescue LoadError => e
        raise Missing, e.message
      end

      # Calls the application in this thread, without the server. The requests are created
      # before the clock starts; the bodies are read and closed.
      #
      # @param path [String]
      # @param seconds [Float] minimum of processor time
      # @return [Array(Float, Float)] seconds and objects of one request; the minimum of
      #   the objects, because threads of the server create some now and then
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
          size = [size * 2, MAX_BATCH].min
        end
        [spent / count, fewest]
      end

      # Waits until all requests are answered.
      #
      # @return [Array(Float, Integer, Integer)] seconds of processor time, requests
      #   and connections until now
      def usage
        wait_until_idle
        [Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID), @server.requests_count, @listener.connections]
      end

      private

      # @raise [RuntimeError] if the drop-in of the application is not on although it should be
      def check_drop_in
        return if ENV.fetch("ERRORS_BENCH") == "stock" || !defined?(Dropin)

        drop_in = Dropin.status.find { |one| one.name.to_s == File.basename(@app_file, ".ru") } or return
        drop_in.state == :on or raise "the drop-in is #{drop_in.state}: #{drop_in.reason}"
      end

      def versions
        VERSIONS.to_h { |name, constant| [name, (Object.const_get(constant) if Object.const_defined?(constant))] }.compact
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

      # The environment that Puma creates for a GET request with only a Host header.
      def request(path)
        { "rack.url_scheme" => "http", "rack.input" => StringIO.new, "rack.errors" => @null, "rack.hijack?" => false,
          "SCRIPT_NAME" => +"", "PATH_INFO" => path.dup, "QUERY_STRING" => +"", "REQUEST_METHOD" => "GET",
          "REQUEST_PATH" => path.dup, "REQUEST_URI" => path.dup, "SERVER_PROTOCOL" => "HTTP/1.1", "HTTP_VERSION" => "HTTP/1.1",
          "SERVER_NAME" => "127.0.0.1", "SERVER_PORT" => "80", "HTTP_HOST" => "127.0.0.1", "REMOTE_ADDR" => "127.0.0.1",
          "SERVER_SOFTWARE" => "puma" }
      end

      def wait_until_idle
        limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + PATIENCE
        sleep 0.001 until idle? || Process.clock_gettime(Process::CLOCK_MONOTONIC) > limit
      end

      def idle?
        stats = @server.stats
        stats[:backlog].zero? && stats[:pool_capacity] == stats[:max_threads]
      end
    end
  end
end

Frugal::ErrorsBench::Worker.new(*ARGV).serve
