# frozen_string_literal: true

# Fairness of sessions and stores: turns, longest waits and lost changes of many processes
#
# The cases are in waits/cases.rb, the targets in waits/results.rb.

require_relative "support/command"
require_relative "waits/definition"
require_relative "waits/benchmark"
require_relative "waits/report"

module Frugal
  # See {DEFINITION}.
  module WaitsBench
    # The command `frugal bench waits`.
    class Command < Bench::Command
      NAME = "waits"
      BENCH = WaitsBench
      DEFAULTS = { busy: 0, quick: false, keep: false, only: Cases::NAMES }.freeze

      private

      def converters = { busy: method(:not_negative) }

      def not_negative(number) = number >= 0 ? number : raise(OptionParser::InvalidArgument, "#{number}: at least 0")
    end
  end
end

Frugal::WaitsBench::Command.start(ARGV)
