# frozen_string_literal: true

require_relative "../support/jruby"
require_relative "../support/series"

module Frugal
  module ProbesBench
    # How long JRuby takes to load frugal, in new processes.
    module Requiring
      LIB = File.expand_path("../../lib", __dir__)
      SCRIPT = <<~RUBY
        def milliseconds(file)
          started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
          require file
          (Process.clock_gettime(Process::CLOCK_MONOTONIC) - started) * 1000
        end
        empty = milliseconds(ARGV[0])
        print milliseconds("frugal") - empty
      RUBY

      # @param scratch [String] a folder
      # @param processes [Integer] how many are started; the first one warms up the caches of files
      # @return [Float] milliseconds more than for an empty file: the median
      def self.milliseconds(scratch, processes)
        empty = File.join(scratch, "empty.rb")
        File.write(empty, "")
        command = [Bench::JRuby::COMMAND, "-I", LIB, "-e", SCRIPT, empty]
        times = Array.new(processes + 1) { Float(Bench::Program.output(*command)) }
        Compare::Statistics.median(times.drop(1))
      end
    end
  end
end
