# frozen_string_literal: true

# Rake on 10,000 and 50,000 files, a graph and a chain: stock, frugal, make and ninja
#
# The cases are in rake/cases.rb, the targets in rake/targets.rb.

require_relative "support/command"
require_relative "rake/definition"
require_relative "rake/benchmark"

module Frugal
  # See {DEFINITION}.
  module RakeBench
    # The command `frugal bench rake`.
    class Command < Bench::Command
      NAME = "rake"
      BENCH = RakeBench
      DEFAULTS = { rounds: 5, patience: 60.0, quick: false, offline: false, keep: false,
                   only: Cases::NAMES + MICRO.keys }.freeze

      private

      def converters = { patience: method(:positive) }
    end
  end
end

Frugal::RakeBench::Command.start(ARGV)
