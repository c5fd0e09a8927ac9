# frozen_string_literal: true

# Listing trees, plain and full of links: find, fd, bfs, Java, Ruby, and frugal
#
# The catalogue of what is listed is links/cases.rb, of what the walk set out to
# reach links/results.rb.

require_relative "support/command"
require_relative "links/benchmark"
require_relative "links/report"

module Frugal
  # See HELP.
  module LinksBench
    HELP = <<~TEXT
      usage: frugal bench links [options]

      Lists generated trees, in turn: one of 204,200 entries (count, paths, **/*.c, mtime
      and size), a deep one; and five shapes of one size: plain, links to directories,
      every file a link, a mesh of links, links that lead back; a TreeSnapshot's refresh, and
      Find.find and Dir.glob under frugal run. Rivals are find, Dir.glob, Find.find, a lister
      by hand; fd, bfs (apt-get install fd-find bfs) and Java (a JDK) where they are
      installed. Takes about four minutes, and 360,000 files.

        frugal bench links --only strings,chain      two cases
        frugal bench links --svg links.svg           a picture too
        frugal bench links --rounds 11 --save        a report to keep

      options:
        --only A,B   of: #{Cases::TABLE.join(", ")},
                     #{Cases::FIGURE.join(", ")}
        --rounds N   timed rounds of each rival, after one to warm up (7)
        --quick      tiny sizes: shows that all works, and measures nothing
        --dir DIR    where the trees are generated (TMPDIR)
        --keep       leave them there
        --json FILE  all samples as JSON
        --svg FILE   a chart
        --save       writes report, JSON and chart into bench/results

      next: frugal bench links --quick
    TEXT

    # Its words.
    class Command < Bench::Command
      NAME = "links"
      BENCH = LinksBench
      DEFAULTS = { rounds: 7, quick: false, keep: false, only: Cases::NAMES }.freeze
    end
  end
end

Frugal::LinksBench::Command.start(ARGV)
