# frozen_string_literal: true

# Switches the Dir drop-in on: Dir.glob and Dir[].
#
#   require "frugal/dir"
require_relative "../frugal"

Frugal.enable(:dir)
