# frozen_string_literal: true

# The cost of frugal run in short programs: system calls and processor time
#
# The programs and their targets are in startup/cases.rb.

require_relative "startup/benchmark"
require_relative "startup/report"

subject = Frugal::Bench.define("startup", Frugal::StartupBench) do
  description <<~TEXT
    Runs programs that do almost nothing, stock and under `frugal run`, alternately: most processes of a build or a
    test suite are like that. Counts system calls (with strace) and processor time, including the launcher. Takes
    about half a minute.
  TEXT
  example "frugal bench startup --only nothing,fileutils", "two cases"
  example "frugal bench startup --save", "a report to keep"
  cases Frugal::StartupBench::Cases::NAMES
  rounds 21, "number of timed rounds, after one to warm up"
  quick "run one round: shows that everything works, and measures nothing"
  folder "where the few files that the programs read are created"
  reports chart: false
end
Frugal::Bench::Command.start(subject, ARGV) if $PROGRAM_NAME == __FILE__
