# frozen_string_literal: true

# Errors of an HTTP server: Puma, Rails, Sinatra and files, stock and frugal; raising by depth
#
# The cases are in errors/cases.rb, the targets in errors/goals.rb, the applications in
# errors/apps.

require_relative "support/command"
require_relative "errors/definition"
require_relative "errors/benchmark"
require_relative "errors/report"

module Frugal
  # See {DEFINITION}.
  module ErrorsBench
    # The command `frugal bench errors`.
    class Command < Bench::Command
      NAME = "errors"
      BENCH = ErrorsBench
      DEFAULTS = { rounds: 9, quick: false, keep: false, only: Cases::NAMES }.freeze
    end
  end
end

Frugal::ErrorsBench::Command.start(ARGV)
