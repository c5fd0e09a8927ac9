# frozen_string_literal: true

# The recorder: what it costs, how long a report takes, and what findings predict against what a change saves
#
# The cases and their targets are in profile/cases.rb.

require_relative "profile/benchmark"
require_relative "profile/report"

subject = Frugal::Bench.define("profile", Frugal::ProfileBench) do
  description <<~TEXT
    Runs programs plain, with the recorder of `frugal profile`, and under strace, alternately; then makes a report
    of a recording; then profiles programs that real libraries make slow, makes the change that a finding advises,
    and compares what the finding predicted with what the change saves. Takes about ten minutes.
  TEXT
  example "frugal bench profile --only rake,zones", "two cases"
  example "frugal bench profile --save", "a report to keep"
  cases Frugal::ProfileBench::Cases::NAMES
  rounds 15, "number of timed rounds, after one to warm up"
  quick
  folder "where the programs have their files"
  reports chart: false
end
Frugal::Bench::Command.start(subject, ARGV) if $PROGRAM_NAME == __FILE__
