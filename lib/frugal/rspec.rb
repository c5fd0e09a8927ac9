# frozen_string_literal: true

# Adds the matcher `cost` to RSpec:
#
#   require "frugal/rspec"
#
#   expect { Frugal.mtime(path) }.to cost(syscalls: 1, exceptions: 0)
require "rspec/expectations"
require_relative "cost/matcher"

RSpec::Matchers.include(Frugal::Cost::Matchers)
