# frozen_string_literal: true

# Loads PStore, and switches its drop-in on:
#
#   require "frugal/pstore"
#
# Since Ruby 4.0, PStore is a gem that a Gemfile has to name.
require_relative "../frugal"
begin
  require "pstore"
rescue LoadError => e
  raise e unless e.path == "pstore"

  raise LoadError, %(frugal/pstore needs PStore: add gem "pstore" to the Gemfile)
end

Frugal.enable(:pstore)
