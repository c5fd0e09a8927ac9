# frozen_string_literal: true

require_relative "../support/definition"
require_relative "cases"

module Frugal
  module WaitsBench
    DEFINITION = Bench.define("waits") do
      description <<~TEXT
        Many processes want the same session, or the same root of a store, again and again: how many turns each of them
        has, how long the longest wait is, and whether a change is lost. A wait is fair if every other process has one
        turn meanwhile. And how long a read of a cache takes while others write the entry. Uses what
        `bin/setup --webs --redis` has installed. Takes about a minute and a half.
      TEXT
      example "frugal bench waits --only files,store", "two cases"
      example "frugal bench waits --busy 20", "beside 20 busy processes"
      cases Cases::NAMES
      option "--busy N", OptionParser::DecimalInteger, "busy processes beside them (default: 0)"
      quick
      folder "where the sessions are written"
      reports chart: false
    end
  end
end
