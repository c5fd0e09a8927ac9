# frozen_string_literal: true

require_relative "../support/definition"
require_relative "cases"

module Frugal
  module ProfileBench
    DEFINITION = Bench.define("profile") do
      description <<~TEXT
        Runs programs plain, with the recorder of `frugal profile`, and under strace, alternately; then makes a report
        of a recording; then profiles programs that real libraries make slow, makes the change that a finding advises,
        and compares what the finding predicted with what the change saves. Takes about ten minutes.
      TEXT
      example "frugal bench profile --only rake,zones", "two cases"
      example "frugal bench profile --save", "a report to keep"
      cases Cases::NAMES
      rounds "number of timed rounds, after one to warm up (default: 15)"
      quick
      folder "where the programs have their files"
      reports chart: false
    end
  end
end
