# frozen_string_literal: true

require "rbconfig"
require "tempfile"
require_relative "../launcher"

module Frugal
  class Doctor
    # The cost of `frugal run` before the command begins: counts the system calls of the same command with and without
    # it. A time would depend more on the machine: it varies by more than the cost.
    class LauncherCost
      PAIRS = 3
      BARE = [RbConfig.ruby, "-e", "1"].freeze
      JAVA = "not counted: two starts of Java differ by more"
      NO_STRACE = "not counted: strace is not installed"
      NOT_PERMITTED = "not counted: strace may not trace processes here"
      # The numbers of these calls vary with the start of the heap, with other threads, and with the garbage collection.
      COUNTED = ["-e", "trace=!brk,munmap,futex,clock_gettime"].freeze

      # @return [String, nil] the version line of strace; nil if it is not installed
      def strace
        return @strace if defined?(@strace)

        @strace = IO.popen(%w[strace -V], err: File::NULL, &:gets)&.chomp
      rescue SystemCallError
        @strace = nil
      end

      # @return [Hash{Symbol => Integer, String, nil}] `system_calls`; `why`, the reason why they were not counted
      def to_h
        return { system_calls: nil, why: JAVA } if Platform::JRUBY
        return { system_calls: nil, why: NO_STRACE } unless strace

        added = Array.new(PAIRS) { added_by_launcher }
        added.all? ? { system_calls: added.sort[PAIRS / 2], why: nil } : { system_calls: nil, why: NOT_PERMITTED }
      end

      private

      # Counts both commands directly after each other; the median of some pairs is used. One process in a thousand maps
      # a part of its heap less, and a gem that is installed at this time adds calls of RubyGems to only one of them.
      #
      # @return [Integer, nil] nil if tracing is not permitted
      def added_by_launcher
        bare, launched = count(BARE), count([*Launcher.command, "--", *BARE])
        launched - bare if launched && bare
      end

      def count(command)
        Tempfile.create("frugal-doctor") do |table|
          system(clean, "strace", "-f", "-c", *COUNTED, "-o", table.path, *command, err: File::NULL)
          File.readlines(table.path).last&.then { |line| line[/\A\s*100\.00\s+\S+\s+(?:\d+\s+)?(\d+)/, 1] }&.to_i
        end
      end

      # An environment without frugal, because this process may run under `frugal run`.
      def clean = { "RUBYOPT" => nil, "RUBYLIB" => nil }
    end
  end
end
