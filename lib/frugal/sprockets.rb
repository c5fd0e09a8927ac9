# frozen_string_literal: true

# Switches the Sprockets drop-in on, before or after `require "sprockets"`:
#
#   require "frugal/sprockets"
require_relative "../frugal"

Frugal.enable(:sprockets)
