# frozen_string_literal: true

require_relative "../support/definition"
require_relative "cases"

module Frugal
  module RailsBench
    DEFINITION = Bench.define("rails") do
      description <<~TEXT
        Before each request in development, Rails asks whether a file of the application has changed. Measures the processor time
        and the system calls of a request in which none has: stock, with `frugal run`, and with checkers that always answer
        no, which is the limit. Uses what `bin/setup --webs` has installed. Takes about eight minutes.
      TEXT
      example "frugal bench rails --only fresh", "one application"
      cases Cases::NAMES
      rounds "number of processes of each side (default: 5)"
      quick
      folder "where the applications are generated"
      reports chart: false
    end
  end
end
