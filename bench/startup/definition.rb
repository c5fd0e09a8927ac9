# frozen_string_literal: true

require_relative "../support/definition"
require_relative "cases"

module Frugal
  module StartupBench
    DEFINITION = Bench.define("startup") do
      description <<~TEXT
        Runs programs that do almost nothing, stock and under `frugal run`, alternately: most processes of a build or a
        test suite are like that. Counts system calls (with strace) and processor time, including the launcher. Takes
        about half a minute.
      TEXT
      example "frugal bench startup --only nothing,fileutils", "two cases"
      example "frugal bench startup --save", "a report to keep"
      cases Cases::NAMES
      rounds "number of timed rounds, after one to warm up (default: 21)"
      quick "run one round: shows that everything works, and measures nothing"
      folder "where the few files that the programs read are created"
      reports chart: false
    end
  end
end
