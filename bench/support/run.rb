# frozen_string_literal: true

require "time"
require "tmpdir"
require_relative "clock"
require_relative "command"
require_relative "../../lib/frugal/compare/progress"

module Frugal
  module Bench
    # A benchmark whose Ruby rivals run inside of this process, and whose trees
    # are in a folder that is made for it and removed at its end.
    class Run
      # @param name [String] for the folder
      # @param options [Hash] as the command line leaves them
      # @raise [Error] where drop-ins are loaded: stock would not be stock
      def initialize(name, options)
        raise Error, "RUBYOPT loads frugal's drop-ins, so stock is not stock here: unset RUBYOPT" if ENV["RUBYOPT"].to_s.include?("frugal")

        @name = name
        @options = options
        @progress = Compare::Progress.new($stderr)
        @started_at = Time.now
        @loads = [Machine.load]
        @notes = []
      end

      # @return [Hash{Symbol => Object}] what a report says beside the results
      def facts(command)
        { command: command, date: @started_at.iso8601, machine: @machine, load: @loads, notes: @notes }
      end

      private

      # @yield with +@folder+ made and +@machine+ known
      def in_folder
        @folder = File.realpath(Dir.mktmpdir("frugal-bench-#{@name}-", @options[:dir]))
        @machine = Machine.describe(@folder)
        yield
        @loads << Machine.load
      ensure
        @progress.clear
        leave if @folder
      end

      def leave
        return warn("frugal: kept #{@folder}") if @options[:keep]

        FileUtils.remove_entry(@folder)
      end

      # Garbage of the one before is not the next one's cost; its own is.
      #
      # @return [Float] seconds
      def seconds(&block)
        GC.start
        Clock.seconds(&block)
      end

      # Forth in one round and back in the next: a drift of the machine meets all alike.
      def rotate(all, round) = round.even? ? all : all.reverse
    end
  end
end
