# frozen_string_literal: true

require "optparse"
require_relative "../drop_ins"

Frugal::CLI::Definition.define("compare") do
  summary "run a command with and without frugal and measure the difference"
  usage "[options] [--] COMMAND..."
  description <<~TEXT
    Runs COMMAND without frugal (stock) and under `frugal run`, alternately, in the current directory. Then counts
    allocations, exceptions and file calls, the latter as `frugal budget` does. If the output or the exit status
    differs, it refuses to compare and shows the difference. Ctrl-C stops it and reports the pairs measured so far.
  TEXT
  example "frugal compare -- rake", "a build that has nothing to do"
  example "frugal compare --prepare 'rake clean' -- rake", "a build from scratch"
  option "-n", "--pairs N", OptionParser::DecimalInteger,
         "number of timed pairs of runs (default: 5, or 3 if a run takes over a second)"
  option "--warmup N", OptionParser::DecimalInteger, "number of pairs before them that do not count (default: 1)"
  option "--prepare CMD", "shell command to run before each run, not timed"
  option "--only A,B", "switch on only these drop-ins, as in `frugal run`", values: Frugal::CLI::DROP_INS, list: true
  option "--except A,B", "switch on all drop-ins except these", values: Frugal::CLI::DROP_INS, list: true
  option "--ignore-output", "compare only the exit status: for output that contains times, pids or random numbers"
  option "--ignore-failure", "compare a command even if it fails"
  option "--[no-]counts", "do not count anything"
  option "--[no-]file-calls", "do not count file calls"
  option "--json FILE",
         "write all numbers to FILE as JSON; - writes them to standard output instead of the report"
  exit_status 0 => "compared, whatever the verdict", 1 => "refused to compare, or the preparation failed",
              2 => "wrong usage", 126 => "COMMAND cannot be executed", 127 => "COMMAND was not found",
              130 => "interrupted", "other" => "the status of COMMAND, if it fails"
  operands :command
  next_step "frugal compare -- rake"
end
