# frozen_string_literal: true

require_relative "../support/definition"
require_relative "benchmark"

module Frugal
  module RakeBench
    DEFINITION = Bench.define("rake") do
      description <<~TEXT
        Builds generated projects with the installed Rake, the newest Rake, the installed one under JRuby (where
        bin/setup --jruby has put one), each of them under `frugal run`, make and ninja, alternately. Then counts stat
        calls (with strace) and exceptions. Takes ten to sixty minutes: creating files is slow on some disks, and ninja
        starts a process for each. On such a disk, --dir /dev/shm shows more.
      TEXT
      example "frugal bench rake --only p10000,dag", "two cases"
      example "frugal bench rake --rounds 9 --save", "a report to keep"
      cases Cases::NAMES + MICRO.keys, "; boot always runs"
      rounds "number of timed rounds of each tool, after one to warm up (default: 5)"
      option "--patience S", Float, "seconds that one tool may spend on one case (default: 60)"
      quick
      option "--offline", "do not download the newest Rake (gem install, into ~/.cache/frugal/bench)"
      folder "where the projects are generated"
      reports chart: true
    end
  end
end
