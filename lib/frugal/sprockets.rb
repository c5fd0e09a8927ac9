# frozen_string_literal: true

# The switch of the Sprockets drop-in, before or after <tt>require "sprockets"</tt>:
#
#   require "frugal/sprockets"
require_relative "../frugal"

Frugal.enable(:sprockets)
