# frozen_string_literal: true

# The cost of frugal run in short programs: system calls and processor time
#
# The programs and their targets are in startup/cases.rb.

require_relative "support/command"
require_relative "startup/definition"
require_relative "startup/benchmark"
require_relative "startup/report"

module Frugal
  # See {DEFINITION}.
  module StartupBench
    # The command `frugal bench startup`.
    class Command < Bench::Command
      NAME = "startup"
      BENCH = StartupBench
      DEFAULTS = { rounds: 21, quick: false, keep: false, only: Cases::NAMES }.freeze
    end
  end
end

Frugal::StartupBench::Command.start(ARGV)
