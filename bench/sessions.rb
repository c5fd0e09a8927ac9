# frozen_string_literal: true

# Sessions of Rack and Rails: PStore, frugal, cookies, Pool, up to a million of them; caches
#
# The cases are in sessions/cases.rb, the targets in sessions/results.rb, the applications in
# sessions/apps.

require_relative "sessions/benchmark"
require_relative "sessions/report"

subject = Frugal::Bench.define("sessions", Frugal::SessionsBench) do
  description <<~TEXT
    Compares places for sessions, alternately: a PStore for each session, as people had it, frugal's files, Redis
    and SQLite, rack-session's Pool, and cookies. Measures the store alone, with a session of 200 bytes; stores of
    100 to 1,000,000 sessions of 2 kB; and a Rack and a Rails application with them, under Puma with two processes
    and the load of wrk: requests per second, and the processor time of all processes of the server for a request.
    Also measures caches: ActiveSupport's FileStore, MemoryStore and RedisCacheStore, and FrugalStore. Uses what
    `bin/setup --webs --stores --redis` has installed. Takes about 25 minutes, 9 GB of disk and 4 GB of memory,
    half of that time to make a million files twice; with --sessions 10000 about seven minutes.
  TEXT
  example "frugal bench sessions --only store,cache", "two cases"
  example "frugal bench sessions --sessions 10000 --svg sessions.svg", "bars and plots"
  example "frugal bench sessions --save", "a report to keep"
  cases Frugal::SessionsBench::Cases::NAMES
  number "--sessions N", 1_000_000, "the largest number of sessions", least: 100
  rounds 7, "number of timed rounds of each way, after some to warm up"
  quick
  folder "where the sessions are written"
  reports chart: true
end
Frugal::Bench::Command.start(subject, ARGV) if $PROGRAM_NAME == __FILE__
