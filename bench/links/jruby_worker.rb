# frozen_string_literal: true

# The process that lists trees under JRuby, see rivals.rb.
require "find"
require_relative "ways"
require_relative "../support/clock"
require_relative "../support/worker"

module Frugal
  module LinksBench
    # Its public methods, except `serve`, are the requests that it answers.
    class JRubyWorker < Bench::Worker
      def initialize(warm_ups)
        super()
        @warm_ups = Integer(warm_ups)
        @warm = Hash.new(0)
      end

      # @param way [Symbol] a key of {WAYS}
      # @param root [String]
      # @return [Array(Float, Integer)] seconds, paths below the root
      def list(way, root)
        run = WAYS.fetch(way)
        run.call(root) while (@warm[way] += 1) <= @warm_ups # JRuby and the JVM compile what has been called often
        GC.start
        paths = nil
        [Bench::Clock.seconds { paths = run.call(root) }, paths]
      end
    end
  end
end

Frugal::LinksBench::JRubyWorker.new(*ARGV).serve
