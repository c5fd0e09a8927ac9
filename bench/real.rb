# frozen_string_literal: true

# Does it help me? Real programs under frugal run, and from which size on each drop-in gains
#
# The programs are in real/cases.rb; their gems and trees in test/real/corpus.

require_relative "support/command"
require_relative "real/definition"
require_relative "real/benchmark"
require_relative "real/report"

module Frugal
  # See {DEFINITION}.
  module RealBench
    # The command `frugal bench real`.
    class Command < Bench::Command
      NAME = "real"
      BENCH = RealBench
      DEFAULTS = { rounds: 7, quick: false, keep: false, only: Cases::NAMES, sizes: Cases::SIZES }.freeze

      private

      def converters = { sizes: method(:ascending) }

      def ascending(texts)
        wrong = texts.grep_v(/\A[1-9]\d*\z/).first and raise OptionParser::InvalidArgument, "#{wrong}: a number, at least 1"
        texts.map(&:to_i).sort.uniq
      end
    end
  end
end

Frugal::RealBench::Command.start(ARGV)
