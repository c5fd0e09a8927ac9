# frozen_string_literal: true

require "optparse"

Frugal::CLI::Definition.define("demo") do
  summary "build a site of many pages with and without frugal, in a minute"
  usage "[--pages N]"
  description <<~TEXT
    Generates a site of 12,000 pages in a temporary folder and builds it with Rake. Then compares a build that has
    nothing left to do: without frugal, and under `frugal run`. Installs nothing, needs no network, and removes
    the folder at the end. Ctrl-C stops it.
  TEXT
  example "frugal demo", "takes less than a minute on two cores"
  example "frugal demo --pages 2000", "a smaller site"
  option "--pages N", OptionParser::DecimalInteger,
         "number of pages (default: 12000), each a text file and an HTML file"
  environment "TMPDIR" => "the folder for the site (default: /tmp)"
  exit_status 0 => "the builds were compared", 1 => "the demo failed", 2 => "wrong usage", 130 => "interrupted"
  next_step "in a project of yours, frugal compare -- rake"
end
