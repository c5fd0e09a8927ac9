# frozen_string_literal: true

# Sessions of Rack and Rails: PStore, frugal, cookies, Pool, up to a million of them; caches
#
# The cases are in sessions/cases.rb, the targets in sessions/goals.rb, the applications in
# sessions/apps.

require_relative "support/command"
require_relative "sessions/definition"
require_relative "sessions/benchmark"
require_relative "sessions/report"

module Frugal
  # See {DEFINITION}.
  module SessionsBench
    # The command `frugal bench sessions`.
    class Command < Bench::Command
      NAME = "sessions"
      BENCH = SessionsBench
      DEFAULTS = { rounds: 7, sessions: 1_000_000, quick: false, keep: false, only: Cases::NAMES }.freeze

      private

      def converters = { sessions: method(:at_least_hundred) }

      def at_least_hundred(number) = number >= 100 ? number : raise(OptionParser::InvalidArgument, "#{number}: at least 100")
    end
  end
end

Frugal::SessionsBench::Command.start(ARGV)
