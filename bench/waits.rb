# frozen_string_literal: true

# Fairness of sessions and stores: turns, longest waits and lost changes of many processes
#
# The cases are in waits/cases.rb, the targets in waits/results.rb.

require_relative "waits/benchmark"
require_relative "waits/report"

subject = Frugal::Bench.define("waits", Frugal::WaitsBench) do
  description <<~TEXT
    Many processes want the same session, or the same root of a store, again and again: how many turns each of them
    has, how long the longest wait is, and whether a change is lost. A wait is fair if every other process has one
    turn meanwhile. And how long a read of a cache takes while others write the entry. Uses what
    `bin/setup --webs --redis` has installed. Takes about a minute and a half.
  TEXT
  example "frugal bench waits --only files,store", "two cases"
  example "frugal bench waits --busy 20", "beside 20 busy processes"
  cases Frugal::WaitsBench::Cases::NAMES
  number "--busy N", 0, "busy processes beside them", least: 0
  quick
  folder "where the sessions are written"
  reports chart: false
end
Frugal::Bench::Command.start(subject, ARGV) if $PROGRAM_NAME == __FILE__
