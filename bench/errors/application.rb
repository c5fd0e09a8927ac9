# frozen_string_literal: true

require "fileutils"
require "rbconfig"
require_relative "socket"
require_relative "wrk"
require_relative "../support/guest_process"
require_relative "../support/web_gems"

module Frugal
  module ErrorsBench
    # One variant of an application: a Puma in a process of its own (guest.rb), on a
    # port of its own.
    class Application
      include Socket

      SCRIPT = File.join(__dir__, "guest.rb")

      # @return [Hash{String => String}] of gems
      attr_reader :versions

      # It boots from now on.
      #
      # @param app [String] a rackup file
      # @param variant [String]
      # @param folder [String] for what it writes; made for it
      def initialize(app, variant, folder)
        FileUtils.mkdir_p(folder)
        @process = Bench::GuestProcess.new([RbConfig.ruby, *load_path, SCRIPT, app], errors: File.join(folder, "errors"),
                                           env: { **Bench::WebGems::ENVIRONMENT, "ERRORS_BENCH" => variant, "ERRORS_BENCH_FOLDER" => folder })
        @process.ask(:boot)
      end

      # @return [self] once it takes requests
      # @raise [Bench::Missing] where a gem or a part of frugal is not here
      # @raise [Bench::Died]
      def booted
        @port, @versions = @process.answer
        self
      end

      # Without a socket.
      #
      # @return [Array(Float, Float)] seconds of processor time, and objects, of one request
      def inside(path, seconds) = @process.call(:inside, path, seconds)

      # @return [Array(Float, Load, Integer)] seconds of processor time of one request,
      #   what wrk saw, and connections that were accepted
      def wire(path, seconds)
        before = @process.call(:usage)
        load = Wrk.run("http://127.0.0.1:#{@port}#{path}", seconds)
        cpu, requests, connections = @process.call(:usage).zip(before).map { |now, then_| now - then_ }
        raise Bench::Died, "no request was answered" if requests.zero?

        [cpu / requests, load, connections]
      end

      # @return [void]
      def stop = @process.stop

      private

      def load_path = Bench::WebGems.available?("puma") ? Bench::WebGems.options : []
    end
  end
end
