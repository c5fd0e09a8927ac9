# frozen_string_literal: true

# The switch of the PStore drop-in, before or after <tt>require "pstore"</tt>:
#
#   require "frugal/pstore"
require_relative "../frugal"

Frugal.enable(:pstore)
