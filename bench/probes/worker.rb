# frozen_string_literal: true

# The process that asks under JRuby, see jruby_asking.rb.
require_relative "asking"
require_relative "../support/worker"

module Frugal
  module ProbesBench
    # Its public methods, except `serve`, are the requests that it answers.
    class Worker < Bench::Worker
      # @param paths (see Asking#initialize)
      def prepare(paths)
        @asking = Asking.new(paths)
        Native.engine_name
      end

      # (see Asking#time)
      def time(...) = @asking.time(...)
    end
  end
end

Frugal::ProbesBench::Worker.new.serve
