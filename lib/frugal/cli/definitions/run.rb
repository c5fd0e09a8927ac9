# frozen_string_literal: true

require_relative "../drop_ins"

Frugal::CLI::Definition.define("run") do
  summary "run a Ruby command with the drop-ins for the libraries it loads"
  usage "[--only A,B] [--except A,B] [--no-boot] [--] COMMAND..."
  description <<~TEXT
    Runs COMMAND. In it, and in every Ruby process that it starts, a drop-in replaces slow parts of a library
    when that library is loaded. Results, errors and output stay the same. A library version that a drop-in
    does not know stays as it is. Nothing has to be added to the project or its Gemfile.
  TEXT
  example "frugal run -- rake", "a build"
  example "frugal run --only rake -- bundle exec rake", "with one drop-in only"
  option "--only A,B", "switch on only these drop-ins, named as in `frugal doctor`",
         values: Frugal::CLI::DROP_INS, list: true
  option "--except A,B", "switch on all drop-ins except these", values: Frugal::CLI::DROP_INS, list: true
  option "--[no-]boot", "do not keep the program's bytecode, with which its next runs start faster; --only implies it"
  environment "FRUGAL=0" => "switches all drop-ins off",
              "FRUGAL_RAKE=0" => "switches one drop-in off",
              "FRUGAL_VERBOSE=1" => "reports on stderr which drop-ins are on, and which stand aside and why",
              "FRUGAL_BOOT=DIR" => "keeps compiled files there instead of in ~/.cache/frugal/boot; 0: nowhere",
              "FRUGAL_ENGINE=pure" => "uses plain Ruby instead of the compiled library",
              "FRUGAL_RUBY=jruby" => "runs frugal's own commands, such as doctor and walk, with this Ruby"
  note "The exit status, signals, standard input and terminal are those of COMMAND."
  exit_status 2 => "wrong usage", 126 => "COMMAND cannot be executed", 127 => "COMMAND was not found",
              "other" => "the status of COMMAND"
  operands :command
  next_step "frugal compare -- COMMAND   how much faster it is"
end
