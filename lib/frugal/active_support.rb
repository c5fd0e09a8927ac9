# frozen_string_literal: true

# Switches the ActiveSupport drop-in on, before or after `require "active_support"`:
#
#   require "frugal/active_support"
require_relative "../frugal"

Frugal.enable(:active_support)
