# frozen_string_literal: true

module Frugal
  # The version of this gem.
  VERSION = "0.1.0"
end
