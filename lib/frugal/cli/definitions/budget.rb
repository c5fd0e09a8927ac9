# frozen_string_literal: true

require "optparse"

Frugal::CLI::Definition.define("budget") do
  summary "fail if a command makes more file calls or exceptions than allowed"
  usage "[--max-KIND N]... [--file FILE [--update]] [--json FILE] [--] COMMAND..."
  description <<~TEXT
    Runs COMMAND once and counts the file calls and exceptions of all its processes. Fails if a count is above its
    limit, and shows the source lines that make most of it. Counts of the same work are the same in every run, so that
    a test in CI can rely on them, where times vary. They also depend on the versions of Ruby and of its gems, on the
    load path and on caches of COMMAND, so write the limits where they are checked.
  TEXT
  example "frugal budget --max-exceptions 0 -- rake", "a limit on the command line"
  example "frugal budget --file budget.yml --update -- rake", "write the counts of this run as limits"
  example "frugal budget --file budget.yml -- rake", "check them, as in CI"
  section "limits"
  option "--max-calls N", OptionParser::DecimalInteger, "file calls of all kinds"
  option "--max-stats N", OptionParser::DecimalInteger, "questions about a file, such as stat and access"
  option "--max-opens N", OptionParser::DecimalInteger, "files and directories opened"
  option "--max-reads N", OptionParser::DecimalInteger, "reads of files, directories and links"
  option "--max-writes N", OptionParser::DecimalInteger, "writes, and changes of names and attributes"
  option "--max-exceptions N", OptionParser::DecimalInteger, "exceptions raised in Ruby, rescued ones included"
  section "options"
  option "--file FILE",
         "take limits from FILE, with a line such as `stats: 4100` for each; those on the command line replace them"
  option "--update",
         "write the counts of this run to the FILE of --file, if COMMAND succeeds: for the limits that it has, or " \
         "for all if it has none. Comments stay"
  option "--json FILE", "also write counts, limits and source lines to FILE as JSON"
  option "--recorder NAME", "what counts: native (MRI on a 64-bit Linux), or ruby, which sees Ruby's own file " \
                            "methods only (default: native where it can run)",
         values: %w[native ruby]
  note <<~TEXT
    A file call is a call of a function of the C library that reaches the file system, such as stat or open. Output,
    standard input, signals and terminal are those of COMMAND; frugal reports on stderr when it has ended.
  TEXT
  exit_status 0 => "within the budget, or the FILE of --file was updated", 1 => "over budget", 2 => "wrong usage",
              126 => "COMMAND cannot be executed", 127 => "COMMAND was not found",
              "other" => "the status of COMMAND, if it fails; if a signal killed it, frugal dies of the same one"
  operands :command
  next_step "frugal budget --file budget.yml --update -- COMMAND"
end
