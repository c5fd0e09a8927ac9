# frozen_string_literal: true

require "optparse"
require_relative "../drop_ins"

Frugal::CLI::Definition.define("profile") do
  summary "find superfluous file calls and exceptions, by source line"
  usage "[options] [--] COMMAND..."
  usage "--diff A.json B.json"
  description <<~TEXT
    Runs COMMAND and records the file calls and exceptions of all its processes, each with its Ruby line. Then shows
    which of them were superfluous, how that is known, what would remove them, and how much time that saves here.
  TEXT
  example "frugal profile -- rake", "a report on stderr, when rake has ended"
  example "frugal profile --html profile.html -- rake", "also as a page"
  example "frugal profile -- bundle exec rspec", "also the counts of each file of examples"
  example "frugal profile --by route -- bin/rails server", "a server, until Ctrl-C"
  example "frugal profile --verify -- rake", "also measure what the findings and the drop-ins save"
  example "frugal profile --diff before.json after.json", "what a change has changed"
  example "frugal profile -q --fail-over 0 -- rake", "in CI: fail if a line of the program wastes anything"
  section "reports"
  option "--json FILE", "write everything to FILE as JSON"
  option "--html FILE", "write a page to FILE that needs no other file"
  option "--speedscope FILE", "write the calls by stack to FILE, for speedscope.app"
  option "--firefox FILE", "write the calls by stack and time to FILE, for profiler.firefox.com"
  option "--sarif FILE", "write the findings to FILE, for tools that annotate source code"
  option "-q", "--quiet", "no report on stderr"
  option "--top N", OptionParser::DecimalInteger, "how many findings to show on stderr (default: 10)"
  option "--all", "show each finding on stderr, and each gem"
  option "--by KIND", "also count by Rack route, by file of examples (RSpec) or tests (minitest), by source file or " \
                      "by process (default: by example, if COMMAND runs rspec)",
         values: %w[route example file process]
  option "--ignore FILE:LINE", "accept the findings at this line, or in all of FILE: they are listed, but not " \
                               "counted as waste. A comment \"# frugal: ignore\" at the end of the line does the same",
         repeat: true
  option "--fail-over N", OptionParser::DecimalInteger,
         "exit with 1 if more than N calls and exceptions at lines of the program are superfluous"
  option "--diff", "compare two JSON reports, on standard output, and run nothing"
  option "--markdown", "with --diff: as Markdown, for a comment on a pull request"
  section "recording"
  option "--depth N", OptionParser::DecimalInteger, "how many Ruby frames to keep for each call"
  option "--limit MIB", OptionParser::DecimalInteger, "room for the record of each process, in MiB"
  option "--recorder NAME", "what counts: native (MRI on a 64-bit Linux), or ruby, which sees Ruby's own file " \
                            "methods only (default: native where it can run)",
         values: %w[native ruby]
  section "verification"
  option "--verify", "then run COMMAND again and again, so with all its effects: alternately with and without the " \
                     "kernel's answers to superfluous questions, and with and without each drop-in that a finding " \
                     "names; compares what that saves with what was predicted"
  option "--only A,B", "verify only these drop-ins", values: Frugal::CLI::DROP_INS, list: true
  option "--except A,B", "verify all drop-ins except these", values: Frugal::CLI::DROP_INS, list: true
  note <<~TEXT
    Output, standard input, signals and terminal are those of COMMAND. Ctrl-C and TERM end it, and frugal reports what
    was recorded so far.
  TEXT
  exit_status 0 => "success; without --fail-over, whatever was found",
              1 => "a report could not be written, nothing could be recorded, or more was superfluous than " \
                   "--fail-over allows",
              2 => "wrong usage", 126 => "COMMAND cannot be executed", 127 => "COMMAND was not found",
              "other" => "the status of COMMAND, if it fails; if a signal killed it, frugal dies of the same one"
  operands :command
  next_step "frugal profile -- rake"
end
