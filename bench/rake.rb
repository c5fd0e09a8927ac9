# frozen_string_literal: true

# Rake on 10,000 and 50,000 files, a graph and a chain: stock, frugal, make and ninja
#
# The catalogue of what is built is rake/cases.rb, of what it set out to reach
# rake/targets.rb.

require_relative "support/command"
require_relative "rake/benchmark"

module Frugal
  # See HELP.
  module RakeBench
    HELP = <<~TEXT
      usage: frugal bench rake [options]

      Builds generated projects with the installed Rake, the newest Rake, each of them
      under `frugal run`, make and ninja, in turn; then counts stat calls (with strace)
      and exceptions. Takes ten to thirty minutes: making files is slow on some disks, and
      ninja starts a process for each. On such a disk, --dir /dev/shm tells more.

        frugal bench rake --only p10000,dag     two cases
        frugal bench rake --rounds 9 --save     a report to keep

      options:
        --only A,B     of: #{Cases::NAMES.join(", ")},
                       #{MICRO.keys.join(", ")}; boot always runs
        --rounds N     timed rounds of each rival, after one to warm up (5)
        --patience S   seconds that one rival may spend on one case (60)
        --quick        tiny sizes: shows that all works, and measures nothing
        --offline      no download of the newest Rake (gem install, into ~/.cache/frugal/bench)
        --dir DIR      where the projects are generated (TMPDIR)
        --keep         leave them there
        --json FILE    all samples as JSON
        --save         writes the report and its JSON into bench/results

      next: frugal bench rake --quick
    TEXT

    # Its words.
    class Command < Bench::Command
      NAME = "rake"
      BENCH = RakeBench
      DEFAULTS = { rounds: 5, patience: 60.0, quick: false, offline: false, keep: false, only: Cases::NAMES + MICRO.keys }.freeze

      private

      def options(parser)
        parser.on("--patience S", Float) { |number| @options[:patience] = positive(number) }
      end
    end
  end
end

Frugal::RakeBench::Command.start(ARGV)
