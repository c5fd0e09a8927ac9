# frozen_string_literal: true

require_relative "../benchmarks"

Frugal::CLI::Definition.define("bench") do
  summary "repeat the measurements that the documentation quotes"
  usage "[NAME [options]]"
  description <<~TEXT
    Runs a benchmark on this machine: alternately other tools and frugal, with medians and ratios. Without a name,
    lists the benchmarks. They are part of a checkout of frugal, but not of the gem.
  TEXT
  example "frugal bench", "list the benchmarks"
  example "frugal bench startup", "what `frugal run` adds to short programs"
  example "frugal bench waits", "whether waits for sessions and stores are fair"
  example "frugal bench rake", "Rake with 10,000 and 50,000 files, and other build tools"
  example "frugal bench probes", "files that may be missing: rescue, stat first, or a probe"
  example "frugal bench links", "listing trees, with links and without"
  example "frugal bench pstore", "PStore transactions, on a small store and on a million roots"
  example "frugal bench errors", "errors of an HTTP server, compared with a page"
  example "frugal bench sessions", "sessions of web applications, up to a million of them, and caches"
  example "frugal bench profile", "the cost of the recorder, and predictions against measurements"
  example "frugal bench real", "real programs, and from which size on each drop-in gains"
  example "frugal bench rake --help", "the options of one benchmark"
  exit_status 0 => "success", 1 => "the benchmark failed", 2 => "wrong usage", 130 => "interrupted"
  operands Frugal::CLI::Benchmarks.names
  next_step "frugal bench"
end
