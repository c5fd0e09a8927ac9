# frozen_string_literal: true

# Errors of an HTTP server: Puma, Rails, Sinatra and files, stock and frugal; raising by depth
#
# The catalogue of what is asked for is errors/cases.rb, of what frugal set out to
# reach errors/goals.rb; the applications are in errors/apps.

require_relative "support/command"
require_relative "errors/benchmark"
require_relative "errors/report"

module Frugal
  # See HELP.
  module ErrorsBench
    HELP = <<~TEXT
      usage: frugal bench errors [options]

      Asks real servers for pages and for errors, in turn: no exception, a new one each time,
      one that is raised again, their traces rendered or not, and Frugal.halt, on Puma behind
      20 middlewares and at three depths; Rails in production, Sinatra with 32 routes, stock
      and with frugal; files that are missing; vibe.d, where dub has it; and what raising costs
      by itself. Requests per second by wrk (apt-get install wrk), processor time of one on the
      wire and in process. The servers and frameworks are those of bin/setup --webs, else the
      installed gems. Takes about five minutes.

        frugal bench errors --only puma,raising      two cases
        frugal bench errors --svg errors.svg         bars and a plot
        frugal bench errors --save                   a report to keep

      options:
        --only A,B   of: #{Cases::NAMES.join(", ")}
        --rounds N   timed rounds of each way, after some to warm up (9)
        --quick      tiny slices: shows that all works, and measures nothing
        --dir DIR    where the servers write (TMPDIR)
        --keep       leave that there
        --json FILE  all samples as JSON
        --svg FILE   a chart
        --save       writes report, JSON and chart into bench/results

      next: frugal bench errors --quick
    TEXT

    # Its words.
    class Command < Bench::Command
      NAME = "errors"
      BENCH = ErrorsBench
      DEFAULTS = { rounds: 9, quick: false, keep: false, only: Cases::NAMES }.freeze
    end
  end
end

Frugal::ErrorsBench::Command.start(ARGV)
