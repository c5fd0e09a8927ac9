# frozen_string_literal: true

require_relative "idioms"
require_relative "../support/clock"
require_relative "../support/deep"

module Frugal
  module ProbesBench
    # Asks the questions of one cell of the tables in this process.
    class Asking
      # The threads of the JVM that compile and collect garbage would count in seconds of the clock on the wall.
      CLOCK = RUBY_ENGINE == "jruby" ? :thread_seconds : :seconds

      # @param paths [Hash{Array(Symbol, Symbol) => Array<String>}] by question and presence
      def initialize(paths)
        @paths = paths
      end

      # @param depth [Integer] additional stack frames
      # @param label [String] of an idiom
      # @return [Float] seconds of one question, the mean of those for all paths
      # @raise [Error] if the idiom found a missing path or did not find an existing one
      def time(question, presence, depth, label)
        paths = @paths.fetch([question, presence])
        idiom = IDIOMS.find { |one| one::LABEL == label }
        GC.start
        found = nil
        time = Bench.deep(depth) { Bench::Clock.public_send(CLOCK) { found = idiom.public_send(question, paths) } }
        expected = presence == :present ? paths.size : 0
        return time / paths.size if found == expected

        raise Error, "#{label}, #{question}, #{presence}: found #{found} instead of #{expected}"
      end
    end
  end
end
