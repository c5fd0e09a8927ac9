# frozen_string_literal: true

require_relative "../support/definition"
require_relative "cases"

module Frugal
  module RealBench
    DEFINITION = Bench.define("real") do
      description <<~TEXT
        Runs real programs of the corpus in test/real, and small programs with 1 to 10,000 files, stock and under
        `frugal run`, alternately. Measures processor time and counts system calls (with strace), launcher included.
        The first run installs pinned gems into tmp/real. Takes about half an hour.
      TEXT
      example "frugal bench real --only glob,find", "from which size on these gain"
      example "frugal bench real --only jekyll", "one real program"
      example "frugal bench real --save", "a report to keep; then: rake figures"
      example "frugal bench real --only find --sizes 25000,100000", "with other numbers of files"
      cases Cases::NAMES
      option "--sizes A,B", Array, "numbers of files of the small programs (default: #{Cases::SIZES.join(",")})"
      rounds "number of timed rounds, after one to warm up (default: 7)"
      quick "run one round with the two smallest sizes, and no real program unless --only names it: measures nothing"
      folder "where the files of the small programs are created"
      reports chart: false
    end
  end
end
