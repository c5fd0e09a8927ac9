# frozen_string_literal: true

# Transactions of PStore, small ones and on a million roots; three versions, the drop-in, Frugal::Store
#
# The cases are in pstore/cases.rb, the targets in pstore/results.rb.

require_relative "pstore/benchmark"
require_relative "pstore/report"

subject = Frugal::Bench.define("pstore", Frugal::PStoreBench) do
  description <<~TEXT
    Runs transactions on a small store: reading, assigning the same value, changing, changing by another file
    (ultra_safe), changing durably; and on stores of 10 to 1,000,000 roots: reading from memory and from the disk,
    changing a value to one of the same size and of another size. Compares pstore 0.1.1, 0.2.1 and 0.3.0, each in a
    process of its own, alternately with the drop-in on the newest one and with Frugal::Store, whose engine for
    large stores needs the gem sqlite3. Also counts system calls (with strace). Takes about five minutes, 4 GB of
    memory and 1 GB of disk; with --roots 100000 half of the time and little memory and disk.
  TEXT
  example "frugal bench pstore --only changed,durable", "two cases"
  example "frugal bench pstore --svg pstore.svg", "bars and plots"
  example "frugal bench pstore --save", "a report to keep"
  cases Frugal::PStoreBench::Cases::NAMES
  number "--roots N", 1_000_000, "size of the largest store", least: 10
  rounds 11, "number of timed rounds of each way, after some to warm up",
         "for growing stores at most #{Frugal::PStoreBench::Benchmark::GROWTH_ROUNDS}, and fewer where one takes " \
         "seconds"
  quick
  option "--offline", "do not download a pstore that is not installed"
  folder "where the stores are written: a disk, for durable"
  reports chart: true
end
Frugal::Bench::Command.start(subject, ARGV) if $PROGRAM_NAME == __FILE__
