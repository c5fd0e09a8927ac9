# frozen_string_literal: true

# Listing trees, with and without links: find, fd, bfs, Java, Ruby, and frugal
#
# The cases are in links/cases.rb, the targets in links/results.rb.

require_relative "links/benchmark"
require_relative "links/report"

subject = Frugal::Bench.define("links", Frugal::LinksBench) do
  description <<~TEXT
    Lists generated trees, alternately: one of 204,200 entries (count, paths, **/*.c, mtime and size), a deep one,
    and five shapes of one size: without links, links to directories, every file a link, a mesh of links, links
    that lead back; then the refresh of a TreeSnapshot, and Find.find and Dir.glob under `frugal run`. The other
    tools are find, Dir.glob, Find.find and a lister written by hand; fd, bfs (apt-get install fd-find bfs), Java (a
    JDK) and JRuby (bin/setup --jruby) if they are installed. Takes about five minutes, and creates 360,000 files.
  TEXT
  example "frugal bench links --only strings,chain", "two cases"
  example "frugal bench links --svg links.svg", "a chart too"
  example "frugal bench links --rounds 11 --save", "a report to keep"
  cases Frugal::LinksBench::Cases::NAMES
  rounds 7, "number of timed rounds of each tool, after one to warm up"
  quick
  folder "where the trees are generated"
  reports chart: true
end
Frugal::Bench::Command.start(subject, ARGV) if $PROGRAM_NAME == __FILE__
