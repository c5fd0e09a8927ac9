# frozen_string_literal: true

# The recorder: what it costs, how long a report takes, and what findings predict against what a change saves
#
# The cases and their targets are in profile/cases.rb.

require_relative "support/command"
require_relative "profile/definition"
require_relative "profile/benchmark"
require_relative "profile/report"

module Frugal
  # See {DEFINITION}.
  module ProfileBench
    # The command `frugal bench profile`.
    class Command < Bench::Command
      NAME = "profile"
      BENCH = ProfileBench
      DEFAULTS = { rounds: 15, quick: false, keep: false, only: Cases::NAMES }.freeze
    end
  end
end

Frugal::ProfileBench::Command.start(ARGV)
