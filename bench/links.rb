# frozen_string_literal: true

# Listing trees, with and without links: find, fd, bfs, Java, Ruby, and frugal
#
# The cases are in links/cases.rb, the targets in links/results.rb.

require_relative "support/command"
require_relative "links/definition"
require_relative "links/benchmark"
require_relative "links/report"

module Frugal
  # See {DEFINITION}.
  module LinksBench
    # The command `frugal bench links`.
    class Command < Bench::Command
      NAME = "links"
      BENCH = LinksBench
      DEFAULTS = { rounds: 7, quick: false, keep: false, only: Cases::NAMES }.freeze
    end
  end
end

Frugal::LinksBench::Command.start(ARGV)
