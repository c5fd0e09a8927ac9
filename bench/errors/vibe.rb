# frozen_string_literal: true

require "etc"
require "fileutils"
require_relative "socket"
require_relative "wrk"
require_relative "../support/guest_process"
require_relative "../support/program"

module Frugal
  module ErrorsBench
    # The server of the finding, in D, built of the packages that dub has here.
    class Vibe
      include Socket

      EXECUTABLE = "frugal-bench-errors"
      BUILD = %w[dub build --build=release --skip-registry=all --quiet].freeze # downloads nothing
      TICKS = Etc.respond_to?(:sysconf) ? Etc.sysconf(Etc::SC_CLK_TCK).to_f : 100.0 # a second

      # @param app [String] a folder
      # @param folder [String] where it is built; made for it
      def initialize(app, _variant, folder)
        @app = app
        @folder = folder
      end

      # @return [self] once it takes requests
      # @raise [Bench::Missing] where there is no dub, or no vibe.d for it
      # @raise [Bench::Died]
      def booted
        reason = missing and raise Bench::Missing, reason
        build
        @output = IO.popen([File.join(@folder, EXECUTABLE)], err: File::NULL)
        @port = Integer(@output.gets || raise(Bench::Died, "it says no port"))
        self
      end

      # @return [Hash{String => String}]
      def versions = { "vibe.d" => @version }

      # It is no Ruby.
      #
      # @return [nil]
      def inside(*) = nil

      # @return [Array(Float, Load, nil)] seconds of processor time of one request, and
      #   what wrk saw; connections are not counted
      def wire(path, seconds)
        before = cpu
        load = Wrk.run("http://127.0.0.1:#{@port}#{path}", seconds)
        load.requests.positive? or raise Bench::Died, "no request was answered"

        [(cpu - before) / load.requests, load, nil]
      end

      # @return [void]
      def stop
        return unless @output

        Process.kill(:TERM, @output.pid)
        @output.close
        @output = nil
      end

      private

      # @return [String, nil] what
      def missing
        packages = Bench::Program.said("dub", "list") or return "dub is not installed"
        @version = packages[/^ *vibe-d ([^:\s]+)/, 1] or return "dub has no package vibe-d here"
        "this system has no /proc" unless File.exist?("/proc/self/stat")
      end

      def build
        FileUtils.mkdir_p(File.dirname(@folder))
        FileUtils.cp_r(@app, @folder)
        errors = "#{@folder}.errors"
        system(*BUILD, "--root=#{@folder}", *("--compiler=ldc2" if Bench::Program.version("ldc2")), out: errors, err: errors) or
          raise Bench::Missing, "dub cannot build it: #{File.readlines(errors, chomp: true).grep_v(/Deprecation/).last}"
      end

      # After the name of the program, which may hold blanks: utime and stime.
      def cpu = File.read("/proc/#{@output.pid}/stat").rpartition(")").last.split.values_at(11, 12).sum(&:to_i) / TICKS
    end
  end
end
