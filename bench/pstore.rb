# frozen_string_literal: true

# Transactions of PStore, small ones and on a million roots; three versions, the drop-in, Frugal::Store
#
# The catalogue of what is measured is pstore/cases.rb, of what frugal set out to
# reach pstore/results.rb.

require_relative "support/command"
require_relative "pstore/benchmark"
require_relative "pstore/report"

module Frugal
  # See HELP.
  module PStoreBench
    HELP = <<~TEXT
      usage: frugal bench pstore [options]

      Runs transactions on a small store: reading, assigning what is there already, changing,
      changing by another file (ultra_safe), changing durably; and on stores of 10 to 1,000,000
      roots: reading warm and cold, changing a value to one of the same size and of another.
      Rivals are pstore 0.1.1, 0.2.1 and 0.3.0, each in a process of its own, in turn with
      frugal's drop-in on the newest and with Frugal::Store, whose engine for large stores wants
      the gem sqlite3. Counts system calls (with strace) beside. Takes about five minutes, 4 GB
      of memory and 1 GB of disk; with --roots 100000 half of the time and little of the others.

        frugal bench pstore --only changed,durable    two cases
        frugal bench pstore --svg pstore.svg          bars and plots
        frugal bench pstore --save                    a report to keep

      options:
        --only A,B   of: #{Cases::SMALL.keys.join(", ")},
                     #{Cases::GROWTH.keys.join(", ")}
        --roots N    the largest store (1000000)
        --rounds N   timed rounds of each rival, after some to warm up (11; of stores
                     that grow at most #{Benchmark::GROWTH_ROUNDS}, and fewer where one takes seconds)
        --quick      tiny sizes: shows that all works, and measures nothing
        --offline    do not download a pstore that is not installed
        --dir DIR    where the stores are written: a disk, for durable (TMPDIR)
        --keep       leave them there
        --json FILE  all samples as JSON
        --svg FILE   a chart
        --save       writes report, JSON and chart into bench/results

      next: frugal bench pstore --quick
    TEXT

    # Its words.
    class Command < Bench::Command
      NAME = "pstore"
      BENCH = PStoreBench
      DEFAULTS = { rounds: 11, roots: 1_000_000, quick: false, offline: false, keep: false, only: Cases::NAMES }.freeze

      private

      def options(parser)
        parser.on("--roots N", OptionParser::DecimalInteger) { |number| @options[:roots] = smallest(number) }
      end

      def smallest(number) = number >= 10 ? number : raise(OptionParser::InvalidArgument, "#{number}: at least 10")
    end
  end
end

Frugal::PStoreBench::Command.start(ARGV)
