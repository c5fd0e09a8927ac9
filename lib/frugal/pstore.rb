# frozen_string_literal: true

# Loads PStore and enables its drop-in:
#
#   require "frugal/pstore"
#
# Since Ruby 4.0, PStore is a gem, which must be in the Gemfile.
require_relative "../frugal"
begin
  require "pstore"
rescue LoadError => e
  raise e unless e.path == "pstore"

  raise LoadError, %(frugal/pstore needs PStore: add gem "pstore" to the Gemfile)
end

Frugal.enable(:pstore)
