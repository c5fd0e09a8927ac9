# frozen_string_literal: true

require "fileutils"
require "rbconfig"
require_relative "../support/http"
require_relative "../support/wrk"
require_relative "../support/worker_process"
require_relative "../support/web_gems"

module Frugal
  module ErrorsBench
    # One variant of an application: a Puma in a separate process (worker.rb) with its own port.
    class Application
      SCRIPT = File.join(__dir__, "worker.rb")

      # @return [Hash{String => String}] gem → version
      attr_reader :versions

      # Starts to boot the application.
      #
      # @param app [String] a rackup file
      # @param variant [String]
      # @param folder [String] for the files that it writes; it is created
      def initialize(app, variant, folder)
        FileUtils.mkdir_p(folder)
        env = { **Bench::WebGems::ENVIRONMENT, "ERRORS_BENCH" => variant, "ERRORS_BENCH_FOLDER" => folder }
        @process = Bench::WorkerProcess.new([RbConfig.ruby, *load_path, SCRIPT, app],
                                            errors: File.join(folder, "errors"), env: env)
        @process.send_request(:boot)
      end

      # Waits until the application accepts requests.
      #
      # @return [self]
      # @raise [Bench::Missing] when a gem or a part of frugal is missing
      # @raise [Bench::Died]
      def booted
        @port, @versions = @process.answer
        self
      end

      # Measures requests inside of the process, without a socket.
      #
      # @return [Array(Float, Float)] seconds of processor time, and objects, of one request
      def inside(path, seconds) = @process.call(:inside, path, seconds)

      # Measures requests over connections, by wrk.
      #
      # @return [Array(Float, Bench::Load, Integer)] seconds of processor time of one request,
      #   the measurements of wrk, and the number of accepted connections
      def wire(path, seconds)
        before = nil
        load = Bench::Wrk.run("http://127.0.0.1:#{@port}#{path}", seconds) { before = @process.call(:usage) }
        cpu, requests, connections = @process.call(:usage).zip(before).map { |now, earlier| now - earlier }
        [cpu / requests, load, connections]
      end

      # @return [String] head and body of the response
      def get(path) = Bench::HTTP.get(@port, path)

      # @return [void]
      def stop = @process.stop

      private

      def load_path = Bench::WebGems.available?("puma") ? Bench::WebGems.options : []
    end
  end
end
