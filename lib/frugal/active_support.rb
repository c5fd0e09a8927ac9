# frozen_string_literal: true

# The switch of the ActiveSupport drop-in, before or after <tt>require "active_support"</tt>:
#
#   require "frugal/active_support"
require_relative "../frugal"

Frugal.enable(:active_support)
