# frozen_string_literal: true

# Switches the drop-in for ActiveSupport::FileUpdateChecker on, before or after `require "active_support"`:
#
#   require "frugal/file_update_checker"
require_relative "../frugal"

Frugal.enable(:file_update_checker)
