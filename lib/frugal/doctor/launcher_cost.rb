# frozen_string_literal: true

require "rbconfig"
require "tempfile"

module Frugal
  class Doctor
    # The cost of `frugal run` before the command begins: measures the same command
    # alternately with and without it.
    class LauncherCost
      PAIRS = 7
      LAUNCHER = File.expand_path("../../../libexec/frugal-run", __dir__)
      BARE = [RbConfig.ruby, "-e", "1"].freeze
      UNMEASURED = "not measured: two starts of Java differ by more"
      LAUNCHED = [LAUNCHER, "run", "--", *BARE].freeze

      # @return [String, nil] the version line of strace; nil if it is not installed
      def strace
        return @strace if defined?(@strace)

        @strace = IO.popen(%w[strace -V], err: File::NULL, &:gets)&.chomp
      rescue SystemCallError
        @strace = nil
      end

      # @return [Hash{Symbol => Numeric, String, nil}] `milliseconds` of processor time: the
      #   difference of the fastest runs, because disturbances only add time; nil if
      #   the machine is too noisy. `system_calls`: nil without strace. `why` nothing was measured
      def to_h
        return { milliseconds: nil, system_calls: nil, why: UNMEASURED } if RUBY_ENGINE == "jruby"

        { milliseconds: milliseconds, system_calls: system_calls, why: nil }
      end

      private

      def milliseconds
        launched, bare = Array.new(PAIRS) { [time(LAUNCHED), time(BARE)] }.transpose.map(&:min)
        ((launched - bare) * 1000).round(1) if launched > bare
      end

      def time(command)
        start = processor_time
        system(clean, *command)
        processor_time - start
      end

      def processor_time = Process.times.then { |times| times.cutime + times.cstime }

      def system_calls
        return unless strace

        launched, bare = count(LAUNCHED), count(BARE)
        launched && bare && launched - bare
      end

      # @return [Integer, nil] nil if tracing is not permitted
      def count(command)
        Tempfile.create("frugal-doctor") do |table|
          system(clean, "strace", "-f", "-c", "-o", table.path, *command, err: File::NULL)
          File.readlines(table.path).last&.then { |line| line[/\A\s*100\.00\s+\S+\s+(?:\d+\s+)?(\d+)/, 1] }&.to_i
        end
      end

      # An environment without frugal, because this process may run under `frugal run`.
      def clean = { "RUBYOPT" => nil, "RUBYLIB" => nil }
    end
  end
end
