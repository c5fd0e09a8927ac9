# frozen_string_literal: true

# The switch of the FileUtils drop-in, before or after <tt>require "fileutils"</tt>:
#
#   require "frugal/fileutils"
require_relative "../frugal"

Frugal.enable(:fileutils)
