# frozen_string_literal: true

# What may be missing: rescue, stat first, or a probe; warm, cold, and deep in the stack
#
# The idioms are probes/idioms.rb; what probes set out to reach is in
# probes/results.rb.

require_relative "support/command"
require_relative "probes/benchmark"
require_relative "probes/report"

module Frugal
  # See HELP.
  module ProbesBench
    HELP = <<~TEXT
      usage: frugal bench probes [options]

      Asks for 2,500 directories and files that are there, and for as many that are not:
      by rescuing the exception, by asking first whether it is there, and by a probe, in
      turn in one process; 0, 100 and 300 frames deep; from memory, and from the disk
      where that is allowed. Counts system calls (with strace) and exceptions beside.
      Takes about two minutes.

        frugal bench probes --svg probes.svg    a picture too
        sudo frugal bench probes --save         cold too, and a report to keep

      options:
        --rounds N       warm rounds (21)
        --cold HOW       drop: all caches of the machine, root only (what root gets unless
                         --quick); files: only what files hold; no
        --cold-rounds N  cold rounds (3)
        --quick          tiny sizes: shows that all works, and measures nothing
        --dir DIR        where the directories are generated (TMPDIR)
        --keep           leave them there
        --json FILE      all samples as JSON
        --svg FILE       a chart
        --save           writes report, JSON and chart into bench/results

      next: frugal bench probes --quick
    TEXT

    # Its words.
    class Command < Bench::Command
      NAME = "probes"
      BENCH = ProbesBench
      DEFAULTS = { rounds: 21, cold_rounds: 3, quick: false, keep: false }.freeze

      private

      # The quick one leaves the machine's caches alone, unless it is told to.
      #
      # @return [Bench::Outcome]
      def measure
        @options[:cold] ||= "files" if @options[:quick]
        super
      end

      def options(parser)
        parser.on("--cold HOW", Cold::WAYS) { |way| @options[:cold] = way }
        parser.on("--cold-rounds N", OptionParser::DecimalInteger) { |number| @options[:cold_rounds] = positive(number) }
      end
    end
  end
end

Frugal::ProbesBench::Command.start(ARGV)
