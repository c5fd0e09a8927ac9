# frozen_string_literal: true

# Transactions of PStore, small ones and on a million roots; three versions, the drop-in, Frugal::Store
#
# The cases are in pstore/cases.rb, the targets in pstore/results.rb.

require_relative "support/command"
require_relative "pstore/definition"
require_relative "pstore/benchmark"
require_relative "pstore/report"

module Frugal
  # See {DEFINITION}.
  module PStoreBench
    # The command `frugal bench pstore`.
    class Command < Bench::Command
      NAME = "pstore"
      BENCH = PStoreBench
      DEFAULTS = { rounds: 11, roots: 1_000_000, quick: false, offline: false, keep: false,
                   only: Cases::NAMES }.freeze

      private

      def converters = { roots: method(:at_least_ten) }

      def at_least_ten(number) = number >= 10 ? number : raise(OptionParser::InvalidArgument, "#{number}: at least 10")
    end
  end
end

Frugal::PStoreBench::Command.start(ARGV)
