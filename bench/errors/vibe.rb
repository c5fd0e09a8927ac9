# frozen_string_literal: true

require "etc"
require "fileutils"
require_relative "../support/http"
require_relative "../support/wrk"
require_relative "../support/worker_process"
require_relative "../support/program"

module Frugal
  module ErrorsBench
    # A server in D with vibe.d. It is built from packages that dub has on this machine.
    class Vibe
      EXECUTABLE = "frugal-bench-errors"
      BUILD = %w[dub build --build=release --skip-registry=all --quiet].freeze # downloads nothing
      TICKS = Etc.respond_to?(:sysconf) ? Etc.sysconf(Etc::SC_CLK_TCK).to_f : 100.0 # a second

      # @param app [String] the folder of its source
      # @param folder [String] the folder in which it is built; it is created
      def initialize(app, _variant, folder)
        @app = app
        @folder = folder
      end

      # Builds and starts the server.
      #
      # @return [self]
      # @raise [Bench::Missing] when dub or its package vibe-d is missing
      # @raise [Bench::Died]
      def booted
        reason = missing and raise Bench::Missing, reason
        build
        @output = IO.popen([File.join(@folder, EXECUTABLE)], err: File::NULL)
        @port = Integer(@output.gets || raise(Bench::Died, "it printed no port"))
        self
      end

      # @return [Hash{String => String}]
      def versions = { "vibe.d" => @version }

      # @return [nil] because it is not a Rack application
      def inside(*) = nil

      # @return [Array(Float, Bench::Load, nil)] seconds of processor time of one request, and the
      #   measurements of wrk; connections are not counted
      def wire(path, seconds)
        before = nil
        load = Bench::Wrk.run("http://127.0.0.1:#{@port}#{path}", seconds) { before = cpu }
        [(cpu - before) / load.requests, load, nil]
      end

      # @return [String] head and body of the response
      def get(path) = Bench::HTTP.get(@port, path)

      # @return [void]
      def stop
        return unless @output

        Process.kill(:TERM, @output.pid)
        @output.close
        @output = nil
      end

      private

      # @return [String, nil] what is missing
      def missing
        return "its source is only in a checkout of frugal, not in the gem" unless File.directory?(@app)

        packages = Bench::Program.output("dub", "list") or return "dub is not installed"
        @version = packages[/^ *vibe-d ([^:\s]+)/, 1] or return "dub has no package vibe-d here"
        "this system has no /proc" unless File.exist?("/proc/self/stat")
      end

      def build
        FileUtils.mkdir_p(File.dirname(@folder))
        FileUtils.cp_r(@app, @folder)
        errors = "#{@folder}.errors"
        compiler = "--compiler=ldc2" if Bench::Program.version("ldc2")
        return if system(*BUILD, "--root=#{@folder}", *compiler, out: errors, err: errors)

        raise Bench::Missing, "dub cannot build it: #{File.readlines(errors, chomp: true).grep_v(/Deprecation/).last}"
      end

      # The fields utime and stime. They are counted from the end of the program's name, which may contain spaces.
      def cpu = File.read("/proc/#{@output.pid}/stat").rpartition(")").last.split.values_at(11, 12).sum(&:to_i) / TICKS
    end
  end
end
