# frozen_string_literal: true

# The switch of the Rake drop-in, before or after <tt>require "rake"</tt>:
#
#   require "frugal/rake"
require_relative "../frugal"

Frugal.enable(:rake)
