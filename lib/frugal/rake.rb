# frozen_string_literal: true

# Switches the drop-in for Rake on. It may be required before or after Rake:
#
#   require "frugal/rake"
require_relative "../frugal"

Frugal.enable(:rake)
