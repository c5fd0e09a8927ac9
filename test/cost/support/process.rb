# frozen_string_literal: true

# The first -r of a measured process, before that of frugal: all of it counts but the boot of Ruby before, and its end.
require_relative "program"

at_exit { CostProgram.stop(ENV.fetch("COST_CASE")) }
CostProgram.start
