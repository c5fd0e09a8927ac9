# frozen_string_literal: true

require "time"
require "tmpdir"
require_relative "clock"
require_relative "command"
require_relative "../../lib/frugal/compare/progress"

module Frugal
  module Bench
    # The base class of the benchmarks. Ruby rivals run in this process, and the generated
    # files are in a temporary folder that is removed at the end.
    class Run
      # @param name [String] part of the folder's name
      # @param options [Hash] the parsed options of the command line
      # @raise [Error] if RUBYOPT loads drop-ins, because stock would not be stock
      def initialize(name, options)
        raise Error, "RUBYOPT loads frugal's drop-ins, so stock would not be stock: unset RUBYOPT" if ENV["RUBYOPT"].to_s.include?("frugal")

        @name = name
        @options = options
        @progress = Compare::Progress.new($stderr)
        @started_at = Time.now
        @loads = [Machine.load]
        @notes = []
      end

      # @return [Hash{Symbol => Object}] facts for the report: command, date, machine, load, notes
      def facts(command)
        { command: command, date: @started_at.iso8601, machine: @machine, load: @loads, notes: @notes }
      end

      private

      # @yield after setting `@folder` and `@machine`
      def in_folder
        @folder = File.realpath(Dir.mktmpdir("frugal-bench-#{@name}-", @options[:dir]))
        @machine = Machine.describe(@folder)
        yield
        @loads << Machine.load
      ensure
        @progress.clear
        leave if @folder
      end

      # Removes the folder.
      def leave
        return warn("frugal: kept #{@folder}") if @options[:keep]
        return FileUtils.remove_entry(@folder) unless Interrupt === $!

        # Removing a large tree takes seconds, but Ctrl-C should return to the prompt at once.
        warn "frugal: removing #{@folder} in the background"
        Process.detach(spawn("rm", "-rf", @folder, pgroup: true, in: File::NULL, out: File::NULL, err: File::NULL))
      end

      # Measures the block. Garbage is collected before, so that only the block's own garbage counts.
      #
      # @return [Float] seconds
      def seconds(&block)
        GC.start
        Clock.seconds(&block)
      end

      # Reverses the order in every other round, so that a drift of the machine's speed affects all equally.
      def rotate(all, round) = round.even? ? all : all.reverse
    end
  end
end
