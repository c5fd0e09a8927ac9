# frozen_string_literal: true

# Files that may be missing: rescue, stat first, or a probe; warm, cold, and deep in the stack
#
# The idioms are in probes/idioms.rb, the targets in probes/results.rb.

require_relative "support/command"
require_relative "probes/definition"
require_relative "probes/benchmark"
require_relative "probes/report"

module Frugal
  # See {DEFINITION}.
  module ProbesBench
    # The command `frugal bench probes`.
    class Command < Bench::Command
      NAME = "probes"
      BENCH = ProbesBench
      DEFAULTS = { rounds: 21, cold_rounds: 3, quick: false, keep: false }.freeze

      private

      # With --quick, the caches of the machine are dropped only on request.
      #
      # @return [Bench::Outcome]
      def measure
        @options[:cold] ||= "files" if @options[:quick]
        super
      end

      def converters = { cold_rounds: method(:positive) }
    end
  end
end

Frugal::ProbesBench::Command.start(ARGV)
