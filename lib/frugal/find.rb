# frozen_string_literal: true

# The switch of the Find drop-in, before or after <tt>require "find"</tt>:
#
#   require "frugal/find"
require_relative "../frugal"

Frugal.enable(:find)
