# frozen_string_literal: true

# Switches the drop-in for Dir.glob and Dir[] on:
#
#   require "frugal/dir"
require_relative "../frugal"

Frugal.enable(:dir)
