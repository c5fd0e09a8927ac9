# frozen_string_literal: true

# Loads FileUtils and switches its drop-in on:
#
#   require "frugal/fileutils"
require_relative "../frugal"
require "fileutils"

Frugal.enable(:fileutils)
