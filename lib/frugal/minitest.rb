# frozen_string_literal: true

# Adds `assert_cost` to minitest:
#
#   require "frugal/minitest"
#
#   assert_cost(syscalls: 1, exceptions: 0) { Frugal.mtime(path) }
require "minitest"
require "minitest/assertions"
require_relative "cost/assertions"

Minitest::Assertions.include(Frugal::Cost::Assertions)
