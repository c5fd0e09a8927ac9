# frozen_string_literal: true

# Loads Find and switches its drop-in on:
#
#   require "frugal/find"
require_relative "../frugal"
require "find"

Frugal.enable(:find)
