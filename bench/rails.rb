# frozen_string_literal: true

# A request to a Rails application in development, in which no file has changed
#
# The applications are in rails/cases.rb, the targets in rails/results.rb.

require_relative "support/command"
require_relative "rails/definition"
require_relative "rails/benchmark"
require_relative "rails/report"

module Frugal
  # See {DEFINITION}.
  module RailsBench
    # The command `frugal bench rails`.
    class Command < Bench::Command
      NAME = "rails"
      BENCH = RailsBench
      DEFAULTS = { rounds: 5, quick: false, keep: false, only: Cases::NAMES }.freeze
    end
  end
end

Frugal::RailsBench::Command.start(ARGV)
