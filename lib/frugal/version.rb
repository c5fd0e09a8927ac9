# frozen_string_literal: true

module Frugal
  VERSION = "0.1.0"
end
