# frozen_string_literal: true

Frugal::CLI::Definition.define("doctor") do
  summary "show which drop-ins work here, which do not, and why"
  usage "[--json]"
  description <<~TEXT
    Checks this machine and the current folder: which engine frugal uses, which drop-ins would be on, which stand
    aside and why, and the cost of `frugal run` itself. In the folder of a Rails application, boots the
    application and shows which drop-ins are on in it.
  TEXT
  example "frugal doctor"
  example "frugal doctor --json"
  option "--json", "print everything as one JSON object"
  exit_status 0 => "every drop-in works whose library is installed; in a Rails application, one is on, or " \
                   "developers see the errors",
              1 => "a drop-in does not work, or none is on in the Rails application", 2 => "wrong usage"
  next_step "see the last line of the output"
end
