# frozen_string_literal: true

# What frugal run adds to short programs: system calls and processor time
#
# The programs are startup/cases.rb; what they may cost at most is in
# startup/results.rb.

require_relative "support/command"
require_relative "startup/benchmark"
require_relative "startup/report"

module Frugal
  # See HELP.
  module StartupBench
    HELP = <<~TEXT
      usage: frugal bench startup [options]

      Runs programs that do next to nothing, stock and under frugal run, in turn: what
      most processes of a build or a test suite are. Counts system calls (with strace)
      and processor time, launcher included. Takes about half a minute.

        frugal bench startup --only nothing,fileutils   two of them
        frugal bench startup --save                     a report to keep

      options:
        --only A,B   of: #{Cases::NAMES.join(", ")}
        --rounds N   timed rounds, after one to warm up (21)
        --quick      one round: shows that all works, and measures nothing
        --dir DIR    where the few files that they read are made (TMPDIR)
        --keep       leave them there
        --json FILE  all samples as JSON
        --save       writes report and JSON into bench/results

      next: frugal bench startup --quick
    TEXT

    # Its words.
    class Command < Bench::Command
      NAME = "startup"
      BENCH = StartupBench
      DEFAULTS = { rounds: 21, quick: false, keep: false, only: Cases::NAMES }.freeze
    end
  end
end

Frugal::StartupBench::Command.start(ARGV)
