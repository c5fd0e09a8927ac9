# frozen_string_literal: true

# Rake on 10,000 and 50,000 files, a graph and a chain: stock, frugal, make and ninja
#
# The cases are in rake/cases.rb, the targets in rake/targets.rb.

require_relative "rake/benchmark"
require_relative "rake/report"

subject = Frugal::Bench.define("rake", Frugal::RakeBench) do
  description <<~TEXT
    Builds generated projects with the installed Rake, the newest Rake, the installed one under JRuby (where
    bin/setup --jruby has put one), each of them under `frugal run`, make and ninja, alternately. Then counts stat
    calls (with strace) and exceptions. Takes ten to sixty minutes: creating files is slow on some disks, and ninja
    starts a process for each. On such a disk, --dir /dev/shm shows more.
  TEXT
  example "frugal bench rake --only p10000,dag", "two cases"
  example "frugal bench rake --rounds 9 --save", "a report to keep"
  cases Frugal::RakeBench::Cases::NAMES + Frugal::RakeBench::MICRO.keys, "; boot always runs"
  rounds 5, "number of timed rounds of each tool, after one to warm up"
  number "--patience S", 60, "seconds that one tool may spend on one case", type: Float
  quick
  option "--offline", "do not download the newest Rake (gem install, into ~/.cache/frugal/bench)"
  folder "where the projects are generated"
  reports chart: true
end
Frugal::Bench::Command.start(subject, ARGV) if $PROGRAM_NAME == __FILE__
