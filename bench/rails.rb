# frozen_string_literal: true

# A request to a Rails application in development, in which no file has changed
#
# The applications are in rails/cases.rb, the targets in rails/results.rb.

require_relative "rails/benchmark"
require_relative "rails/report"

subject = Frugal::Bench.define("rails", Frugal::RailsBench) do
  description <<~TEXT
    Before each request in development, Rails asks whether a file of the application has changed. Measures the processor time
    and the system calls of a request in which none has: stock, with `frugal run`, and with checkers that always answer
    no, which is the limit. Uses what `bin/setup --webs` has installed. Takes about eight minutes.
  TEXT
  example "frugal bench rails --only fresh", "one application"
  cases Frugal::RailsBench::Cases::NAMES
  rounds 5, "number of processes of each side"
  quick
  folder "where the applications are generated"
  reports chart: false
end
Frugal::Bench::Command.start(subject, ARGV) if $PROGRAM_NAME == __FILE__
