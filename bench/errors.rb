# frozen_string_literal: true

# Errors of an HTTP server: Puma, Rails, Sinatra and files, stock and frugal; raising by depth
#
# The cases are in errors/cases.rb, the targets in errors/results.rb, the applications in
# errors/apps.

require_relative "errors/benchmark"
require_relative "errors/report"

subject = Frugal::Bench.define("errors", Frugal::ErrorsBench) do
  description <<~TEXT
    Requests pages and errors from real servers, alternately: no exception, a new one each time, one that is raised
    again, their traces rendered or not, and Frugal.halt, on Puma behind 20 middlewares and at three depths; Rails
    in production, and Sinatra with 32 routes, stock and with frugal; files that are missing; vibe.d, if dub has
    it; and the cost of raising by itself. Measures requests per second with wrk (apt-get install wrk), and the
    processor time of one request over the network and in process. Uses the servers and frameworks of
    `bin/setup --webs`, otherwise the installed gems. Takes about five minutes.
  TEXT
  example "frugal bench errors --only puma,raising", "two cases"
  example "frugal bench errors --svg errors.svg", "bars and a plot"
  example "frugal bench errors --save", "a report to keep"
  cases Frugal::ErrorsBench::Cases::NAMES
  rounds 9, "number of timed rounds of each way, after some to warm up"
  quick "send few requests: shows that everything works, and measures nothing"
  folder "where the servers write"
  reports chart: true
end
Frugal::Bench::Command.start(subject, ARGV) if $PROGRAM_NAME == __FILE__
